import { ParlandoError } from '@parlando/core/errors'
import { isLanguageCode } from '@parlando/core/text'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { ServiceDefaults, SpeechService, ThisDevice } from '../../runtime/speech-service.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { unlessAborted } from '../../runtime/wait.ts'
import { defaultVoiceOf, type ListedVoice } from '../../shared/default-voice.ts'
import { defaultEncoding, defaultModelId } from '../../shared/saved-settings.ts'
import { type Connection, LazyConnection } from './connection.ts'

/** The settings of the form that apply to nodes with empty fields. */
export interface DefaultSettings {
  voice?: string
  model?: string
  encoding?: string
}

export interface SpeechServiceOptions {
  settings: DefaultSettings
  /** Opens the connection. `onExit` is called when the process on this device exits unexpectedly. */
  open(onExit: (reason: string) => void): Connection
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
  const voices = createKnownVoices()
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
  return {
    defaults,
    connect,
    use: (signal, work) =>
      lazy.keep(async () => {
        const client = await connect(signal)
        signal.throwIfAborted()
        await work(client)
      }),
    async defaultVoiceId({ language, ...call }) {
      if (chosenVoiceId) return chosenVoiceId
      if (voices.list().length === 0) {
        const client = await connect(call.signal)
        voices.noteList((await client.listVoices({}, call)).voices)
      }
      const wanted = isLanguageCode(String(language)) ? String(language) : nodeRedLanguage(RED)
      const voice = defaultVoiceOf(voices.list(), wanted)
      if (!voice) throw new NodeInputError(RED._('service.error.no-voices'))
      return voice.voiceId
    },
    async languageOf(voiceId, call) {
      if (voices.isKnown(voiceId)) return voices.languageOf(voiceId)
      const client = await connect(call.signal)
      // Without a language there is no warning, and the speech itself reports what is wrong.
      const voice = await client
        .getVoice(voiceId, { ...call, maxRetries: 0 })
        .catch(() => undefined)
      call.signal.throwIfAborted()
      voices.note({ voiceId, langCode: voice?.langCode })
      return voices.languageOf(voiceId)
    },
    noteFailure(error) {
      // The default voice may no longer exist.
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
function createKnownVoices() {
  let listed: readonly ListedVoice[] = []
  const languages = new Map<string, string | undefined>()
  const note = ({ voiceId, langCode }: ListedVoice) => {
    if (languages.size >= maxLanguages) languages.clear()
    languages.set(voiceId, langCode ?? undefined)
  }
  return {
    note,
    noteList(voices: readonly ListedVoice[]) {
      listed = voices.map(({ voiceId, langCode, promptLanguages }) => ({
        voiceId,
        langCode,
        promptLanguages,
      }))
      for (const voice of voices) note(voice)
    },
    isKnown: (voiceId: string) => languages.has(voiceId),
    languageOf: (voiceId: string) => languages.get(voiceId),
    list: () => listed,
    forgetList() {
      listed = []
    },
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
