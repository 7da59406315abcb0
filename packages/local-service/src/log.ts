import { EngineError } from './errors/engine-error.ts'
import { ServiceError } from './errors/service-error.ts'
import type { FinishedRequest } from './server/observability/finished-request.ts'

/** Log levels, from the quietest on. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** One of `silent`, `error`, `warn`, `info` and `debug`. */
export type LogLevel = (typeof logLevels)[number]

/**
 * The log of the service. It never contains a text or a key. One message names a voice: a stored clone that cannot be
 * read is reported by its id, which contains the display name.
 */
export interface Log {
  started(baseUrl: string, wyomingUrl?: string): void
  stopping(): void
  stopped(): void
  finished(finished: FinishedRequest): void
  warned(message: string): void
  failed(error: unknown): void
}

/** Writes lines of JSON to the standard error output. */
export async function openLog(level: LogLevel): Promise<Log> {
  // Imported while the engines start, which takes longer.
  const { pino } = await import('pino')
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toFacts },
    },
    // Synchronous, so that no line is lost when the process exits. There are few lines.
    pino.destination({ fd: 2, sync: true }),
  )
  return {
    started: (baseUrl, wyomingUrl) => log.info({ baseUrl, wyomingUrl }, 'started'),
    stopping: () => log.info('stopping'),
    stopped: () => log.info('stopped'),
    finished: (finished) => log.debug(rounded(finished), 'request finished'),
    warned: (message) => log.warn(message),
    failed: (error) =>
      log.error({ err: error instanceof Error ? error : new Error('not an Error') }, 'failed'),
  }
}

/**
 * Logs the stack, but no other property of an error, since those may contain the spoken text. A stack starts with the
 * message. Where an engine or an upstream may repeat the text in it, only the code is logged.
 */
function toFacts(error: Error): object {
  if (error instanceof ServiceError) return { name: 'ServiceError', code: error.code }
  if (error instanceof EngineError && error.response) return toFacts(error.response)
  if (error instanceof EngineError && error.kind === 'input') return { name: 'EngineError' }
  return { name: error.name, stack: error.stack }
}

/** Rounds times and audio to milliseconds. */
function rounded({ speech, ...finished }: FinishedRequest): FinishedRequest {
  if (!speech) return finished
  const firstAudioMs = speech.firstAudioMs && Math.round(speech.firstAudioMs)
  const audioSeconds = Math.round(speech.audioSeconds * 1000) / 1000
  return { ...finished, speech: { ...speech, firstAudioMs, audioSeconds } }
}
