import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  type Option,
  type OptionTable,
  readAliases,
  readBaseUrl,
  readBoolean,
  readCount,
  readKey,
  readOneOf,
  readOrigins,
  readStore,
  readText,
} from './config/option.ts'
import { engineOptions } from './engines/engine-registry.ts'
import { type LogLevel, logLevels } from './log.ts'
import { recogniserOptions } from './recognisers/recogniser-registry.ts'
import { readProxies } from './server/admission/trusted-proxies.ts'
import { isOnlyLocal } from './server/open-port.ts'
import { wakeWordOptions } from './wake-words/wake-word-registry.ts'

/** Options of the service, all of them optional. The command `parlando-local` has a few other defaults. */
export interface LocalServiceOptions {
  /** Address to listen on; one that other machines can reach requires a key. Default: 127.0.0.1. */
  host?: string
  /** Port to listen on; 0 chooses a free one. Default: 0. */
  port?: number
  /** Key that every request must carry. Default: none: any key is accepted. */
  apiKey?: string
  /**
   * Folder for cloned voices and optional engines; without one, cloned voices end with the service. Default: none.
   */
  dataFolder?: string
  /** Further folder in which optional engines are installed. Default: none. */
  enginesFolder?: string
  /**
   * Server or folder from which models are installed, instead of the addresses in the catalogue. Default: none.
   */
  voicesMirror?: string
  /**
   * Where services on several machines keep the cloned voices that they share: the address of a Redis server, such as
   * redis://localhost:6379, which also gets the sound that they make and their long texts, or a folder that all of them can reach. Default: none: each keeps its own, in its data folder.
   */
  store?: string
  /** Maximum number of cloned voices. Default: 100. */
  maxVoices?: number
  /** Maximum number of phrases that wait for an engine; above it, the service rejects new requests. Default: 200. */
  maxWaitingPhrases?: number
  /** Port on which the agent check of HAProxy learns how much the service can take. Default: none. */
  agentPort?: number
  /**
   * Port of the Wyoming server, through which Home Assistant uses the voices and recognisers; it has no key. Default: none.
   */
  wyomingPort?: number
  /** Address that the Wyoming server listens on, such as 0.0.0.0 for other machines. Default: that of the service. */
  wyomingHost?: string
  /** Makes the Wyoming server known by mDNS, so that Home Assistant finds it. Default: false. */
  wyomingAnnounce?: boolean
  /** Base URL of an OpenAI-compatible API with language models, such as http://127.0.0.1:11434/v1. Default: none. */
  chatUpstream?: string
  /** Key for the chat upstream. Default: none. */
  chatUpstreamKey?: string
  /** Base URL of another speech service of this protocol, whose voices are offered too. Default: none. */
  upstream?: string
  /** Key for the upstream. Default: none. */
  upstreamKey?: string
  /**
   * Base URL of an OpenAI-compatible API that speaks, such as http://127.0.0.1:8880/v1, whose voices are offered too.
   * Default: none.
   */
  speechUpstream?: string
  /** Key for the speech upstream. Default: none. */
  speechUpstreamKey?: string
  /** Model of the speech upstream. Default: tts-1. */
  speechUpstreamModel?: string
  /** Voice of the speech upstream, such as alloy. Default: the voices that it lists. */
  speechUpstreamVoices?: readonly string[]
  /** Sample rate of PCM from the speech upstream, if it does not state the rate. Default: 24000. */
  speechUpstreamRate?: number
  /** Address of Piper's HTTP server, such as http://192.168.1.5:5000, whose voices are offered too. Default: none. */
  piper?: string
  /**
   * Address of a Wyoming server that speaks, such as tcp://192.168.1.5:10200, whose voices are offered too. Default: none.
   */
  wyomingSpeech?: string
  /** Folder with models for sherpa-onnx, whose voices and recognisers are offered too. Default: none. */
  sherpaModels?: string
  /** Address of a Wyoming server that recognises speech, such as tcp://192.168.1.5:10300. Default: none. */
  wyomingRecogniser?: string
  /**
   * Base URL of an OpenAI-compatible API that recognises speech, such as http://127.0.0.1:8000/v1. Default: none.
   */
  transcriptionUpstream?: string
  /** Key for the transcription upstream. Default: none. */
  transcriptionUpstreamKey?: string
  /** Model of the transcription upstream. Default: its models whose names say that they recognise speech. */
  transcriptionUpstreamModel?: string
  /** Address of a Wyoming server that finds wake words, such as tcp://192.168.1.5:10400. Default: none. */
  wyomingWakeWords?: string
  /**
   * Folder with wake words in the form of openWakeWord, such as hey_house.onnx; further ones: wake-words in the data folder.
   * Default: none.
   */
  openWakeWords?: string
  /** Origin of web pages that may use the service, such as https://example.org; * allows all. Default: none. */
  allowOrigins?: readonly string[]
  /** Address or range of a proxy, such as 10.0.0.0/8, whose header X-Forwarded-For names the caller. Default: none: its callers count as one. */
  trustProxy?: readonly string[]
  /** Name by which callers know a model, such as tts-1=svc-tts-2. Default: none. */
  modelAliases?: readonly string[]
  /** Voice that speaks if a request names an unknown one. Default: none: such requests get 404. */
  defaultVoice?: string
  /** Whether the service rejects unknown fields and values that it otherwise ignores. Default: false. */
  strict?: boolean
  /** How much is logged: silent, error, warn, info, debug. Default: error. */
  logLevel?: LogLevel
  /**
   * Milliseconds that the service still accepts requests after the signal to stop, while /healthz responds with 503, so that a
   * proxy or a cluster notices. Default: 0.
   */
  stopDelayMs?: number
  /** Milliseconds that running speech may continue when the service stops. Default: 5000. */
  stopLimitMs?: number
  /**
   * Whether the voices warm up after the start, so that later requests are faster: true or false.
   * Default: true.
   */
  warmUp?: boolean
}

/**
 * Every option of the service. The definitions of the engines contain their options. Defaults, flags, environment
 * variables, `--help` and the table in docs/local-service.md are derived from this table. The interface above repeats the
 * texts because TypeScript cannot derive comments, which editors show; a test compares the two.
 */
export const options = {
  host: {
    placeholder: 'ADDRESS',
    help: 'address to listen on; one that other machines can reach requires a key',
    read: readText,
    default: '127.0.0.1',
  },
  port: {
    placeholder: 'NUMBER',
    help: 'port to listen on; 0 chooses a free one',
    read: readCount(65_535),
    default: 0,
    commandDefault: 8080,
  },
  apiKey: {
    placeholder: 'KEY',
    help: 'key that every request must carry',
    read: readKey,
    shownDefault: 'none: any key is accepted',
    isSecret: true,
  },
  dataFolder: {
    placeholder: 'FOLDER',
    help: 'folder for cloned voices and optional engines; without one, cloned voices end with the service',
    read: readText,
    commandDefault: join(homedir(), '.parlando'),
    shownDefault: '~/.parlando',
  },
  enginesFolder: {
    placeholder: 'FOLDER',
    help: 'further folder in which optional engines are installed',
    read: readText,
  },
  voicesMirror: {
    placeholder: 'PLACE',
    help: 'server or folder from which models are installed, instead of the addresses in the catalogue',
    read: readText,
  },
  store: {
    placeholder: 'PLACE',
    help: 'where services on several machines keep the cloned voices that they share: the address of a Redis server, such as redis://localhost:6379, which also gets the sound that they make and their long texts, or a folder that all of them can reach',
    read: readStore,
    shownDefault: 'none: each keeps its own, in its data folder',
    isSecret: true,
  },
  maxVoices: {
    placeholder: 'NUMBER',
    help: 'maximum number of cloned voices',
    read: readCount(),
    default: 100,
  },
  maxWaitingPhrases: {
    placeholder: 'NUMBER',
    help: 'maximum number of phrases that wait for an engine; above it, the service rejects new requests',
    read: readCount(),
    default: 200,
  },
  agentPort: {
    placeholder: 'NUMBER',
    help: 'port on which the agent check of HAProxy learns how much the service can take',
    read: readCount(65_535),
  },
  wyomingPort: {
    placeholder: 'NUMBER',
    help: 'port of the Wyoming server, through which Home Assistant uses the voices and recognisers; it has no key',
    read: readCount(65_535),
  },
  wyomingHost: {
    placeholder: 'ADDRESS',
    help: 'address that the Wyoming server listens on, such as 0.0.0.0 for other machines',
    read: readText,
    shownDefault: 'that of the service',
  },
  wyomingAnnounce: {
    help: 'makes the Wyoming server known by mDNS, so that Home Assistant finds it',
    read: readBoolean,
    default: false,
  },
  chatUpstream: {
    placeholder: 'URL',
    help: 'base URL of an OpenAI-compatible API with language models, such as http://127.0.0.1:11434/v1',
    read: readBaseUrl,
  },
  chatUpstreamKey: {
    placeholder: 'KEY',
    help: 'key for the chat upstream',
    read: readKey,
    isSecret: true,
  },
  ...engineOptions,
  ...recogniserOptions,
  ...wakeWordOptions,
  allowOrigins: {
    placeholder: 'ORIGIN',
    help: 'origin of web pages that may use the service, such as https://example.org; * allows all',
    read: readOrigins,
    default: [],
    isList: true,
  },
  trustProxy: {
    placeholder: 'ADDRESS',
    help: 'address or range of a proxy, such as 10.0.0.0/8, whose header X-Forwarded-For names the caller',
    read: readProxies,
    default: [],
    shownDefault: 'none: its callers count as one',
    isList: true,
  },
  modelAliases: {
    placeholder: 'NAME=MODEL',
    help: 'name by which callers know a model, such as tts-1=svc-tts-2',
    read: readAliases,
    default: [],
    isList: true,
  },
  defaultVoice: {
    placeholder: 'NAME',
    help: 'voice that speaks if a request names an unknown one',
    read: readText,
    shownDefault: 'none: such requests get 404',
  },
  strict: {
    help: 'whether the service rejects unknown fields and values that it otherwise ignores',
    read: readBoolean,
    default: false,
  },
  logLevel: {
    placeholder: 'LEVEL',
    help: `how much is logged: ${logLevels.join(', ')}`,
    read: readOneOf(logLevels),
    default: 'error',
    commandDefault: 'info',
  },
  stopDelayMs: {
    placeholder: 'NUMBER',
    help: 'milliseconds that the service still accepts requests after the signal to stop, while /healthz responds with 503, so that a proxy or a cluster notices',
    read: readCount(600_000),
    default: 0,
  },
  stopLimitMs: {
    placeholder: 'NUMBER',
    help: 'milliseconds that running speech may continue when the service stops',
    read: readCount(600_000),
    default: 5000,
  },
  warmUp: {
    placeholder: 'BOOLEAN',
    help: 'whether the voices warm up after the start, so that later requests are faster: true or false',
    read: readBoolean,
    default: true,
  },
} as const satisfies { [Name in keyof Options]: Option<Options[Name]> }

type Options = Required<LocalServiceOptions>

/** Options with the defaults filled in. */
export type ResolvedServiceOptions = LocalServiceOptions &
  Required<Pick<LocalServiceOptions, Defaulted>>

type Defaulted = {
  [Name in keyof typeof options]: (typeof options)[Name] extends { default: unknown } ? Name : never
}[keyof typeof options]

/** @throws {Error} if other machines could reach the service and no key is set. */
export function resolveOptions(given: LocalServiceOptions): ResolvedServiceOptions {
  const names = Object.keys(options) as (keyof typeof options)[]
  const values = names.map((name) => {
    const option: OptionTable[string] = options[name]
    return [name, given[name] ?? option.default]
  })
  const resolved: ResolvedServiceOptions = Object.fromEntries(values)
  if (!isOnlyLocal(resolved.host) && !resolved.apiKey) {
    throw new Error(
      `Other machines can reach ${resolved.host}: set a key (PARLANDO_LOCAL_API_KEY or --api-key), or listen on 127.0.0.1`,
    )
  }
  return resolved
}
