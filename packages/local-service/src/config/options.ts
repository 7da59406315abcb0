import { isIPv4 } from 'node:net'

/** How loud the log is, from the quietest on. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number]

/**
 * All that can be chosen about the service. Every member has a flag and an environment variable of its own, which
 * `settings.ts` lists; the defaults here are those of `startLocalService`, and `parlando-local` has a few others.
 */
export interface LocalServiceOptions {
  /** Where to listen: an address or a name of this machine. Default 127.0.0.1; all that is not loopback needs `apiKey`. */
  host?: string
  /** 0 takes any free port. Default 0; `parlando-local`: 8080. */
  port?: number
  /** The key every request must carry, printable ASCII without blanks. Default: none, and any key is good. */
  apiKey?: string
  /**
   * Folder for what must outlast the service: cloned and designed voices. It is made when there is none.
   * Default: none, and such voices end with the service; `parlando-local`: `.parlando` in the home folder.
   */
  dataFolder?: string
  /** How many cloned and designed voices are kept. Default 100. */
  maxVoices?: number
  /** How many phrases may wait to be spoken by an engine before more requests are refused. Default 200. */
  maxWaitingPhrases?: number
  /** Address of an API in the OpenAI form that answers chats, such as `http://127.0.0.1:11434/v1`. Default: none. */
  chatUpstream?: string
  /** The key that `chatUpstream` wants. Default: none. */
  chatUpstreamKey?: string
  /** Address of another speech service of the same protocol, whose voices are offered here too. Default: none. */
  upstream?: string
  /** The key that `upstream` wants. Default: none. */
  upstreamKey?: string
  /** Folder with models for sherpa-onnx, whose voices are then offered too. Default: none. */
  sherpaModels?: string
  /** Web pages that may use the service, such as `https://example.org`; `*` for all. Default: none. */
  allowOrigins?: readonly string[]
  /** What is written to the standard error output, as lines of JSON. Default `error`; `parlando-local`: `info`. */
  logLevel?: LogLevel
  /** How long speech that runs may go on after the service was told to stop, in milliseconds. Default 5000. */
  stopLimitMs?: number
}

/** What the service works with: the members with defaults are filled. */
export type ResolvedOptions = LocalServiceOptions & Required<Pick<LocalServiceOptions, Defaulted>>

type Defaulted = keyof typeof defaults

const defaults = {
  host: '127.0.0.1',
  port: 0,
  maxVoices: 100,
  maxWaitingPhrases: 200,
  allowOrigins: [] as readonly string[],
  logLevel: 'error' as LogLevel,
  stopLimitMs: 5000,
}

/** @throws {Error} when others could reach the service and there is no key to keep them out. */
export function resolveOptions(options: LocalServiceOptions): ResolvedOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const resolved: ResolvedOptions = { ...defaults, ...Object.fromEntries(given) }
  if (!isLoopback(resolved.host) && !resolved.apiKey) {
    throw new Error(
      `Others can reach ${resolved.host}: set a key (PARLANDO_LOCAL_API_KEY or --api-key), or listen at 127.0.0.1`,
    )
  }
  return resolved
}

/** Whether only this machine can reach the host, by what it is called; no name but `localhost` is trusted with that. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
