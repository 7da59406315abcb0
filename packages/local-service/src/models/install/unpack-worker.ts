import { workerData } from 'node:worker_threads'
import { type UnpackRequest, unpackArchive } from './unpack.ts'

await unpackArchive(workerData as UnpackRequest)
