import type { Client } from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { isLanguageCode } from '@parlando/core/text'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import type {
  ServiceCall,
  ServiceDefaults,
  SpeechService,
  ThisDevice,
} from '../../runtime/find-service.ts'
import { readSettings } from '../../runtime/settings.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { unlessAborted } from '../../runtime/wait.ts'
import { defaultVoiceOf, type ListedVoice } from '../../shared/default-voice.ts'
import { defaultEncoding, defaultModelId } from '../../shared/saved-settings.ts'
import { LazyConnection, type ServiceConnection } from './service-connection.ts'

/** The settings of the form that apply to nodes with empty fields. */
export interface DefaultSettings {
  voice?: string
  model?: string
  encoding?: string
}

export interface SpeechServiceOptions {
  settings: DefaultSettings
  /** Opens the connection. `onExit` is called when the process on this device exits unexpectedly. */
  open(onExit: (reason: string) => void): ServiceConnection
  isOnDevice: boolean
  /** Whether the connection closes after ten minutes without use, which stops the process of this device. */
  stopsWhenUnused: boolean
  /** Receives problems that no message caused. */
  report: Pick<Node, 'warn' | 'error'>
}

export interface OpenSpeechService extends SpeechService {
  close(): Promise<void>
}

const settingTable = {
  voiceId: { form: 'voice' },
  modelId: { form: 'model', fallback: defaultModelId },
  audioEncoding: { form: 'encoding', fallback: defaultEncoding },
} as const

interface Defaults extends ServiceDefaults {
  /** Absent: the first voice that the service lists for the language. */
  voiceId?: string
}

const unusedLimitMs = 10 * 60_000
/** Messages may name any voice. */
const maxLanguages = 1000

/** A service that connects when it is first used. */
export function createSpeechService(
  RED: NodeAPI,
  options: SpeechServiceOptions,
): OpenSpeechService {
  const { settings, open, isOnDevice, stopsWhenUnused, report } = options
  const { voiceId: chosenVoiceId, ...defaults } = readSettings(
    {},
    settings,
    settingTable,
  ) as Defaults
  const lazy = new LazyConnection({
    open: (onExit) =>
      open((reason) => {
        onExit()
        report.warn(RED._('service.error.ended', { reason }))
      }),
    unusedLimitMs: stopsWhenUnused ? unusedLimitMs : Infinity,
    onEnd: () => voices.forgetList(),
  })

  const connect = async (signal: AbortSignal) => unlessAborted(lazy.open().client(), signal)
  const voices = new KnownVoices(RED, connect)
  return {
    defaults,
    connect,
    use: (signal, work) =>
      lazy.keep(async () => {
        const client = await connect(signal)
        signal.throwIfAborted()
        await work(client)
      }),
    defaultVoiceId: async (call) => chosenVoiceId ?? (await voices.defaultFor(call)).voiceId,
    languageOf: (voiceId, call) => voices.languageOf(voiceId, call),
    noteFailure(error) {
      if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') voices.forgetList()
    },
    startAhead() {
      if (!isOnDevice || lazy.isOpen) return
      const { ready } = lazy.open()
      ready.catch((error: Error) => lazy.isClosed || report.error(error.message))
    },
    close: () => lazy.close(),
  }
}

/** What a service has said about its voices. */
class KnownVoices {
  readonly #RED: NodeAPI
  readonly #connect: (signal: AbortSignal) => Promise<Client>
  #listed: readonly ListedVoice[] = []
  readonly #languages = new Map<string, string | undefined>()

  constructor(RED: NodeAPI, connect: (signal: AbortSignal) => Promise<Client>) {
    this.#RED = RED
    this.#connect = connect
  }

  /** The default voice for the language of a text. */
  async defaultFor({
    language,
    ...call
  }: ServiceCall & { language?: unknown }): Promise<ListedVoice> {
    if (this.#listed.length === 0) {
      const client = await this.#connect(call.signal)
      const { voices } = await client.listVoices({}, call)
      this.#listed = voices.map(({ voiceId, langCode, promptLanguages }) => ({
        voiceId,
        langCode,
        promptLanguages,
      }))
      for (const voice of voices) this.#note(voice)
    }
    const wanted = isLanguageCode(String(language)) ? String(language) : nodeRedLanguage(this.#RED)
    const voice = defaultVoiceOf(this.#listed, wanted)
    if (!voice) throw new NodeInputError(this.#RED._('service.error.no-voices'))
    return voice
  }

  async languageOf(voiceId: string, call: ServiceCall): Promise<string | undefined> {
    if (!this.#languages.has(voiceId)) {
      const client = await this.#connect(call.signal)
      // Without a language there is no warning, and the speech itself reports what is wrong.
      const voice = await client
        .getVoice(voiceId, { ...call, maxRetries: 0 })
        .catch(() => undefined)
      call.signal.throwIfAborted()
      this.#note({ voiceId, langCode: voice?.langCode })
    }
    return this.#languages.get(voiceId)
  }

  /** The default voice may no longer exist. */
  forgetList(): void {
    this.#listed = []
  }

  #note({ voiceId, langCode }: ListedVoice): void {
    if (this.#languages.size >= maxLanguages) this.#languages.clear()
    this.#languages.set(voiceId, langCode ?? undefined)
  }
}

/** The service on this device for nodes that select no service. @param open Opens it for the first of them. */
export function createThisDevice(
  open: (report: SpeechServiceOptions['report']) => OpenSpeechService,
): ThisDevice {
  const nodes = new Set<Node>()
  let service: OpenSpeechService | undefined
  // Without a configuration node, the first node shows the problems of the service.
  const report: SpeechServiceOptions['report'] = {
    warn: (warning) => [...nodes][0]?.warn(warning),
    error: (error) => [...nodes][0]?.error(error),
  }
  return {
    serve(node) {
      nodes.add(node)
      service ??= open(report)
      return service
    },
    async leave(node) {
      if (!nodes.delete(node) || nodes.size > 0) return
      const closing = service
      service = undefined
      await closing?.close()
    },
  }
}
