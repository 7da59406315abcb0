import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../errors.ts'
import { programPath } from '../../program-path.ts'
import type { MeasuredSamples, MeasureRequest } from './measure-samples.ts'

const workerPath = programPath('clone-worker')

// Ten recordings take 3 s; whatever takes longer is a file made to do harm.
const timeLimitMs = 30_000
const maxHeapMegabytes = 256
// WebAssembly and typed arrays, so all decoded sound, have their memory elsewhere. Nothing tells how much of it is of one
// thread, so it is the growth of the process that is watched; ten recordings take a fifth of this.
const maxGrowthBytes = 512 * 1024 * 1024
const watchEveryMs = 50

/**
 * Measures recordings in a thread of its own: decoding takes the processor for a second and runs code on bytes from
 * outside.
 * @throws {ServiceError} when that takes too much memory or time. The signal's reason when it was aborted.
 */
export async function measureInThread(
  request: MeasureRequest,
  signal: AbortSignal,
): Promise<MeasuredSamples> {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMegabytes }
  // Decoders print what they think of a broken file.
  const quiet = { stdout: true, stderr: true }
  const options = { workerData: request, resourceLimits, execArgv: [], ...quiet }
  const worker = new Worker(workerPath, options)
  // Whoever waits below hears of it, until nobody waits any more; without a listener it would end the process.
  worker.on('error', () => {})
  const timeLimit = AbortSignal.timeout(timeLimitMs)
  const memory = watchMemory()
  try {
    const [measured] = await once(worker, 'message', {
      signal: AbortSignal.any([signal, timeLimit, memory.isTaken]),
    })
    return measured as MeasuredSamples
  } catch (error) {
    signal.throwIfAborted()
    const { code } = error as NodeJS.ErrnoException
    const isTooLarge = memory.isTaken.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!timeLimit.aborted && !isTooLarge) throw error
    const why = isTooLarge ? 'takes too much memory' : `takes longer than ${timeLimitMs / 1000} s`
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `voiceSamples: reading them ${why}; convert them to WAV`,
    )
  } finally {
    memory.close()
    await worker.terminate()
  }
}

function watchMemory(): { isTaken: AbortSignal; close(): void } {
  const taken = new AbortController()
  const before = process.memoryUsage.rss()
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before > maxGrowthBytes) taken.abort()
  }, watchEveryMs)
  return { isTaken: taken.signal, close: () => clearInterval(timer) }
}
