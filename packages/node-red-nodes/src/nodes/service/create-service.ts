import { totalmem } from 'node:os'
import type { Pronunciation } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import { defaultEncoding, defaultModelId } from '../../runtime/service-defaults.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { OpenService, ServiceDefaults, SpeechService } from '../../runtime/speech-service.ts'
import { KeptOpen } from './kept-open.ts'
import { KnownVoices } from './known-voices.ts'
import { type LimitSettings, ServiceConnection } from './service-connection.ts'
import type { ServicePlace } from './service-place.ts'
import { readServicePronunciations } from './service-pronunciations.ts'
import { openSoundStore, ServiceSpeech, type SpeechSettingsOfService } from './service-speech.ts'

/** The settings of the form. Voice, model and encoding apply to nodes with empty fields. */
export interface SettingsOfService extends LimitSettings, SpeechSettingsOfService {
  voice?: string
  model?: string
  encoding?: string
  whenUnused?: WhenUnused
  /** How words and names are said: objects with `word` and `sayAs`. */
  pronunciations?: unknown
  /** Whether Home Assistant may use the service on this device. */
  homeAssistant?: boolean
}

/** What a service on this device does when nobody uses it. Empty: it stops on a small device and keeps running on others. */
type WhenUnused = '' | 'stop' | 'keep'

/** Whether Home Assistant may use the service. It may ask at any time, so the service keeps running. */
export function isOffered(
  { homeAssistant }: SettingsOfService,
  { isOnDevice }: Pick<ServicePlace, 'isOnDevice'>,
): boolean {
  return isOnDevice && homeAssistant === true
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

/** A service that connects when it is first used. */
export function createService(
  RED: NodeAPI,
  settings: SettingsOfService,
  place: ServicePlace,
): OpenService {
  const { isOnDevice, report } = place
  const form = readSettings({}, settings, settingTable) as Defaults
  const { voiceId: chosenVoiceId, ...defaults } = form
  const pronunciations = readServicePronunciations(settings.pronunciations, isOnDevice)
  const { connection, startAhead, close } = createConnection(RED, settings, place, {
    pronunciations: pronunciations.entries,
    // A connection ends only after its first use, when the voices below exist.
    onEnd: () => voices.forget(),
  })
  const connect = (signal: AbortSignal) => connection.client(signal)
  const use: SpeechService['use'] = (signal, work) => connection.use(work, signal)
  const onProblem = (reason: string) =>
    report.warn(RED._('service.error.sound-not-kept', { reason }))
  const { store, rememberedVoices } = openSoundStore(settings, place, onProblem)
  const voices = new KnownVoices(RED, connect, rememberedVoices)
  const defaultVoiceId: OpenService['defaultVoiceId'] = async (call) =>
    chosenVoiceId ?? (await voices.defaultFor(call))
  const speech = new ServiceSpeech(RED, settings, {
    place,
    defaults,
    use,
    pronounce: pronunciations.pronounce,
    store,
    voices,
    defaultVoiceId,
    onProblem,
    onNotice: (sentence) => report.warn(sentence),
  })
  const service: OpenService = {
    defaults,
    isOnDevice,
    connect,
    use,
    letEnd: (request) => connection.letEnd(request),
    defaultVoiceId,
    languageOf: (voiceId, call) => voices.languageOf(voiceId, call),
    noteFailure: (error) => voices.noteFailure(error),
    speak: speech.speak,
    respell: pronunciations.respell,
    reserveBudget: (needs, mayExceed) => speech.reserveBudget(needs, mayExceed),
    budgetShare: () => speech.budgetShare,
    speech,
    startAhead,
    async close() {
      const disconnected = close()
      await Promise.all([disconnected, speech.close(disconnected)])
    },
  }
  speech.prepare()
  return service
}

interface ConnectionParts {
  pronunciations: readonly Pronunciation[]
  onEnd(): void
}

/** The connection of a service. One that is offered to Home Assistant stays open. */
function createConnection(
  RED: NodeAPI,
  settings: SettingsOfService,
  place: ServicePlace,
  { pronunciations, onEnd }: ConnectionParts,
) {
  const { isOnDevice, acquire, report } = place
  const staysOpen = isOffered(settings, place)
  const whenEnded = staysOpen ? 'restarting' : 'ended'
  const connection = new ServiceConnection({
    acquire,
    pronunciations,
    limits: settings,
    ...(isOnDevice && !staysOpen && stopsWhenUnused(settings.whenUnused) && { unusedLimitMs }),
    onExit: (reason) => report.warn(RED._(`service.error.${whenEnded}`, { reason })),
    onEnd() {
      onEnd()
      keptOpen?.ended()
    },
  })
  const keptOpen = staysOpen
    ? new KeptOpen({ open: () => connection.open(), onProblem: (reason) => report.error(reason) })
    : undefined
  return {
    connection,
    startAhead() {
      if (keptOpen) void keptOpen.open()
      else if (isOnDevice) connection.open().catch((error: Error) => report.error(error.message))
    },
    close() {
      keptOpen?.close()
      return connection.close()
    },
  }
}

// Includes boards that are sold with 2 GB, because they report a little less.
const isSmallDevice = totalmem() < 2 * 1024 ** 3
const unusedLimitMs = 10 * 60_000

function stopsWhenUnused(whenUnused: WhenUnused = ''): boolean {
  return whenUnused === 'stop' || (whenUnused !== 'keep' && isSmallDevice)
}
