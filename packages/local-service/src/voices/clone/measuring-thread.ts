import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { watchMemory } from '../../decoding/watch-memory.ts'
import { ServiceError } from '../../errors.ts'
import { programPath } from '../../program-path.ts'
import type { MeasuredSamples, MeasureRequest } from './measure-samples.ts'

const workerPath = programPath('clone-worker')

// Ten recordings take 3 s. Files that take longer are malicious or broken.
const maxMeasuringMs = 30_000
const maxHeapMegabytes = 256

/**
 * Measures recordings in a separate thread, because decoding takes up to seconds of CPU and processes untrusted bytes.
 * @param timeLimitMs default: 30 s.
 * @throws {ServiceError} if it takes too much memory or time. The signal's reason after an abort.
 */
export async function measureInThread(
  request: MeasureRequest,
  signal: AbortSignal,
  timeLimitMs = maxMeasuringMs,
): Promise<MeasuredSamples> {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMegabytes }
  // Decoders print messages about broken files; they are dropped.
  const quiet = { stdout: true, stderr: true }
  const options = { workerData: request, resourceLimits, execArgv: [], ...quiet }
  const worker = new Worker(workerPath, options)
  // `once` below reports an error while it waits. Without this listener, a later error would end the process.
  worker.on('error', () => {})
  const timeLimit = AbortSignal.timeout(timeLimitMs)
  const memory = watchMemory()
  try {
    const [measured] = await once(worker, 'message', {
      signal: AbortSignal.any([signal, timeLimit, memory.exceeded]),
    })
    return measured as MeasuredSamples
  } catch (error) {
    signal.throwIfAborted()
    const { code } = error as NodeJS.ErrnoException
    const isTooLarge = memory.exceeded.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!timeLimit.aborted && !isTooLarge) throw error
    const why = isTooLarge ? 'takes too much memory' : `takes longer than ${timeLimitMs / 1000} s`
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `voiceSamples: decoding the samples ${why}; convert them to WAV`,
    )
  } finally {
    memory.close()
    await worker.terminate()
  }
}
