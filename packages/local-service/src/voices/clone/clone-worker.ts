import { parentPort, workerData } from 'node:worker_threads'
import { type MeasureRequest, measureSamples } from './measure-samples.ts'

parentPort!.postMessage(await measureSamples(workerData as MeasureRequest))
