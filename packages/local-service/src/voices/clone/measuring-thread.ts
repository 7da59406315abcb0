import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { BusyError } from '../../errors/service-error.ts'
import { programPath } from '../../processes/program.ts'
import type { MeasuredSamples, MeasureRequest } from './measure-samples.ts'

const workerPath = programPath('clone-worker')

// Ten recordings take 3 s.
const maxMeasuringMs = 30_000
const retryAfterSeconds = 5

/**
 * Measures decoded recordings in a separate thread, because that takes up to seconds of CPU.
 * @throws {BusyError} if it takes longer than 30 s. The signal's reason after an abort.
 */
export async function measureInThread(
  request: MeasureRequest,
  signal: AbortSignal,
): Promise<MeasuredSamples> {
  const worker = new Worker(workerPath, { workerData: request, execArgv: [] })
  // `once` below reports an error while it waits. Without this listener, a later error would end the process.
  worker.on('error', () => {})
  const timeLimit = AbortSignal.timeout(maxMeasuringMs)
  try {
    const [measured] = await once(worker, 'message', {
      signal: AbortSignal.any([signal, timeLimit]),
    })
    return measured as MeasuredSamples
  } catch (error) {
    signal.throwIfAborted()
    if (!timeLimit.aborted) throw error
    const message = `voiceSamples: measuring the samples takes longer than ${maxMeasuringMs / 1000} s, because this device is overloaded; try again in ${retryAfterSeconds} s`
    throw new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
  } finally {
    await worker.terminate()
  }
}
