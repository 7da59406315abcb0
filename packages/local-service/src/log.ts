import type { LogLevel } from './config/options.ts'
import { ServiceError } from './errors.ts'
import type { FinishedRequest } from './http/observe.ts'

/**
 * What the service writes down: never a text or a key. A voice is named in one place alone: the file of a clone that
 * cannot be read is called by its id, which holds the name that somebody gave it.
 */
export interface Log {
  started(baseUrl: string): void
  stopping(): void
  stopped(): void
  finished(finished: FinishedRequest): void
  warned(message: string): void
  failed(error: unknown): void
}

/** Lines of JSON on the standard error output. */
export async function openLog(level: LogLevel): Promise<Log> {
  // Loaded while the voices start, which takes longer.
  const { pino } = await import('pino')
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toFacts },
    },
    // Written at once: nothing is lost when the process ends, and there are few lines.
    pino.destination({ fd: 2, sync: true }),
  )
  return {
    started: (baseUrl) => log.info({ baseUrl }, 'started'),
    stopping: () => log.info('stopping'),
    stopped: () => log.info('stopped'),
    finished: (finished) => log.debug(rounded(finished), 'answered'),
    warned: (message) => log.warn(message),
    failed: (error) =>
      log.error({ err: error instanceof Error ? error : new Error('no error') }, 'failed'),
  }
}

/**
 * The stack tells where it failed; whatever else hangs on an error may hold what was said. The stack of a refusal begins
 * with its message, in which an upstream may repeat the text.
 */
function toFacts(error: Error): object {
  if (error instanceof ServiceError) return { name: 'ServiceError', code: error.code }
  return { name: error.name, stack: error.stack }
}

/** Milliseconds, and sound to the millisecond: more digits say nothing. */
function rounded({ speech, ...finished }: FinishedRequest): FinishedRequest {
  if (!speech) return finished
  const firstAudioMs = speech.firstAudioMs && Math.round(speech.firstAudioMs)
  const audioSeconds = Math.round(speech.audioSeconds * 1000) / 1000
  return { ...finished, speech: { ...speech, firstAudioMs, audioSeconds } }
}
