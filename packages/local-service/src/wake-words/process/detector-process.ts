import type { Slots } from '../../concurrency/slots.ts'
import { EngineError } from '../../errors/engine-error.ts'
import {
  type ProgramOptions,
  type ProgramWork,
  RestartingProgram,
} from '../../processes/restarting-program.ts'
import { createWakeWordSlots } from '../../recognisers/listening-slots.ts'
import type { WakeWordDetection, WakeWordStream } from '../wake-word-detector.ts'
import type { FromDetector, ToDetector } from './run-detector.ts'

export interface DetectorProcessOptions extends ProgramOptions {
  /** Above this number of open streams, new ones are rejected. */
  maxStreams: number
  /** The process is ended if it does not respond for this long. Default: 20 s. */
  responseLimitMs?: number
}

const idleLimitMs = 10 * 60_000

/** A program that finds wake words in its own process. It starts with the first stream, and again after it has exited. */
export class DetectorProcess<Start> {
  readonly #options: DetectorProcessOptions
  readonly #program: RestartingProgram<undefined, ToDetector<Start>, FromDetector>
  readonly #slots: Slots

  constructor(options: DetectorProcessOptions) {
    const { name, maxStreams } = options
    this.#options = options
    this.#slots = createWakeWordSlots(maxStreams)
    this.#program = new RestartingProgram({
      idleLimitMs,
      ...options,
      alternative: 'another wake word detector',
      toEnd: (reason) => ({ type: 'failed', kind: 'unavailable', reason }),
      describeEnd: () => `${name} failed: its process ended`,
    })
  }

  /** Does the same as `open` of a detector. */
  async open(start: Start, signal: AbortSignal): Promise<WakeWordStream> {
    const release = await this.#slots.acquire(signal)
    try {
      const work = await this.#program.begin()
      const ask = createRequests(work, { ...this.#options, signal })
      let isOpen = true
      const close = () => {
        if (!isOpen) return
        isOpen = false
        signal.removeEventListener('abort', close)
        work.send({ type: 'close' })
        work.release()
        release()
      }
      signal.addEventListener('abort', close, { once: true })
      await ask({ type: 'open', start }).catch((error) => {
        close()
        throw error
      })
      return {
        push: (samples) => ask({ type: 'samples', samples }),
        end: () => ask({ type: 'end' }),
        close,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** @returns a function that sends a request and resolves with the response. */
function createRequests<Start>(
  work: ProgramWork<ToDetector<Start>, FromDetector>,
  options: Pick<DetectorProcessOptions, 'name' | 'warn' | 'responseLimitMs'> & {
    signal: AbortSignal
  },
) {
  const { name, warn, responseLimitMs = 20_000, signal } = options
  let receive = (_report: FromDetector) => {}
  let last: FromDetector | undefined
  work.onReport = (report) => {
    // After a failure there is no stream that could respond.
    if (report.type === 'failed') last = report
    receive(report)
  }
  return async (request: ToDetector<Start>): Promise<readonly WakeWordDetection[]> => {
    signal.throwIfAborted()
    const report = last ?? (await respond(request))
    signal.throwIfAborted()
    if (report.type === 'found') return report.detections
    const { kind, reason } = report
    throw new EngineError(kind, kind === 'input' ? reason : `${name} failed: ${reason}. Try again`)
  }

  async function respond(request: ToDetector<Start>): Promise<FromDetector> {
    let limit: NodeJS.Timeout | undefined
    let abort = () => {}
    try {
      return await new Promise<FromDetector>((resolve, reject) => {
        receive = resolve
        abort = () => reject(signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        limit = setTimeout(() => {
          const reason = `it did not respond for ${responseLimitMs / 1000} s`
          warn(`${name} failed: ${reason}`)
          work.endProcess(reason)
        }, responseLimitMs)
        work.send(request)
      })
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', abort)
    }
  }
}
