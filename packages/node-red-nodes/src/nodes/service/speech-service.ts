import { ParlandoError } from '@parlando/core/errors'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { ServiceDefaults, SpeechService } from '../../runtime/speech-service.ts'
import { unlessAborted } from '../../runtime/wait.ts'
import { defaultEncoding, defaultModelId } from '../../shared/defaults.ts'
import type { Connection } from './connection.ts'

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
  /** Absent: the first voice that the service lists. */
  voiceId?: string
}

const unusedLimitMs = 10 * 60_000
/** Messages may name any voice. */
const maxLanguages = 1000

/** A service that connects when it is first used. */
export function createSpeechService(
  RED: NodeAPI,
  { settings, open, isOnDevice, stopsWhenUnused, report }: SpeechServiceOptions,
): OpenSpeechService {
  const { voiceId: chosenVoiceId, ...defaults } = readSettings(
    {},
    settings,
    settingTable,
  ) as Defaults
  let connection: Connection | undefined
  let firstVoiceId: string | undefined
  const languages = new Map<string, string | undefined>()
  let isClosed = false
  let uses = 0
  let unused: NodeJS.Timeout | undefined

  const forget = () => {
    clearTimeout(unused)
    connection = undefined
    firstVoiceId = undefined
  }
  const stopWhenUnused = () => {
    clearTimeout(unused)
    if (!stopsWhenUnused || uses > 0 || isClosed) return
    unused = setTimeout(() => {
      void connection?.close()
      forget()
    }, unusedLimitMs).unref()
  }
  const noteLanguage = ({
    voiceId,
    langCode,
  }: {
    voiceId: string
    langCode?: string | null | undefined
  }) => {
    if (languages.size >= maxLanguages) languages.clear()
    languages.set(voiceId, langCode ?? undefined)
  }
  const connect = (): Connection => {
    if (!connection) {
      connection = open((reason) => {
        forget()
        report.warn(RED._('service.error.ended', { reason }))
      })
      connection.ready.then(stopWhenUnused, forget)
    }
    return connection
  }

  const service: OpenSpeechService = {
    defaults,
    connect: async (signal) => unlessAborted(connect().client(), signal),
    async use(signal, work) {
      uses += 1
      clearTimeout(unused)
      try {
        const client = await service.connect(signal)
        signal.throwIfAborted()
        await work(client)
      } finally {
        uses -= 1
        stopWhenUnused()
      }
    },
    async defaultVoiceId(call) {
      const voiceId = chosenVoiceId ?? firstVoiceId
      if (voiceId) return voiceId
      const client = await service.connect(call.signal)
      const { voices } = await client.listVoices({}, call)
      firstVoiceId = voices[0]?.voiceId
      for (const voice of voices) noteLanguage(voice)
      if (!firstVoiceId) throw new NodeInputError(RED._('service.error.no-voices'))
      return firstVoiceId
    },
    async languageOf(voiceId, call) {
      if (languages.has(voiceId)) return languages.get(voiceId)
      const client = await service.connect(call.signal)
      // Without a language there is no warning, and the speech itself reports what is wrong.
      const voice = await client
        .getVoice(voiceId, { ...call, maxRetries: 0 })
        .catch(() => undefined)
      call.signal.throwIfAborted()
      noteLanguage({ voiceId, langCode: voice?.langCode })
      return languages.get(voiceId)
    },
    noteFailure(error) {
      // The first voice of the list may no longer exist.
      if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') firstVoiceId = undefined
    },
    startAhead() {
      if (!isOnDevice || connection) return
      connect().ready.catch((error: Error) => isClosed || report.error(error.message))
    },
    async close() {
      isClosed = true
      clearTimeout(unused)
      await connection?.close()
    },
  }
  return service
}
