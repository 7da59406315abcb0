import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { BusyError, ServiceError } from '../errors.ts'
import { programPath } from '../program-path.ts'
import type { DecodeReport, DecodeRequest } from './decode-worker.ts'
import { watchMemory } from './watch-memory.ts'

const workerPath = programPath('decode-worker')

const maxHeapMegabytes = 256
// A piece of a valid file takes milliseconds.
const pieceLimitMs = 30_000
const retryAfterSeconds = 5

/**
 * Decodes a recording in a separate thread, because decoding takes much CPU and processes untrusted bytes. The thread
 * decodes the next piece when the caller asks for it.
 * @param name the field of the request with the recording, for messages.
 * @returns mono samples of the given rate.
 * @throws {ServiceError} if the recording cannot be decoded, is too long, or takes too much memory or time. The signal's
 * reason after an abort.
 */
export async function* decodeRecording(
  request: DecodeRequest,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void> {
  signal.throwIfAborted()
  // A copy, since the thread takes the memory over. `slice` of a Buffer copies nothing.
  const file = new Uint8Array(request.file)
  const worker = new Worker(workerPath, {
    workerData: { ...request, file },
    transferList: [file.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    execArgv: [],
    // Decoders print messages about broken files; they are dropped.
    stdout: true,
    stderr: true,
  })
  // `on` below reports an error while it waits. Without this listener, a later error would end the process.
  worker.on('error', () => {})
  const timeLimit = new AbortController()
  const stopLate = () => timeLimit.abort()
  let timer = setTimeout(stopLate, pieceLimitMs)
  const memory = watchMemory()
  const ended = AbortSignal.any([signal, timeLimit.signal, memory.exceeded])
  const reject = (problem: string) => new ServiceError('INVALID_ARGUMENT', `${name}: ${problem}`)
  const rejectAtLimit = (cost: string) => {
    const problem = `decoding the audio takes ${cost}`
    if (request.format !== 'WAV') return reject(`${problem}; convert it to WAV`)
    // A WAV takes little time and memory, so other work has used them.
    const message = `${name}: ${problem}, because this device is overloaded; try again in ${retryAfterSeconds} s`
    return new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
  }
  try {
    for await (const [report] of on(worker, 'message', { signal: ended, close: ['exit'] })) {
      const { samples, problem } = report as DecodeReport
      if (problem) throw reject(`the audio ${problem}`)
      if (!samples) return
      clearTimeout(timer)
      yield samples
      timer = setTimeout(stopLate, pieceLimitMs)
      worker.postMessage('more')
    }
    throw new Error('The thread that decodes a recording has ended early')
  } catch (error) {
    signal.throwIfAborted()
    const { code } = error as NodeJS.ErrnoException
    if (memory.exceeded.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw rejectAtLimit('too much memory')
    }
    if (timeLimit.signal.aborted) throw rejectAtLimit(`longer than ${pieceLimitMs / 1000} s`)
    throw error
  } finally {
    clearTimeout(timer)
    memory.close()
    await worker.terminate()
  }
}
