import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { NodeAPI, NodeDef } from 'node-red'
import { BudgetFile } from '../../budgets/budget-counts.ts'
import {
  type OpenService,
  type ProblemReport,
  provideThisDevice,
  type ServiceDefaults,
  type ServiceNode,
  type SpeechService,
} from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import { readSettings } from '../../runtime/settings.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { defaultEncoding, defaultModelId } from '../../shared/saved-settings.ts'
import { RecentSpeech } from '../../studio/recent-speech.ts'
import { recentSpeechTopic } from '../../studio/recent-text.ts'
import { createDeviceService, startOnDevice } from './device-service.ts'
import { addAdminRoutes } from './editor/admin-routes.ts'
import { HomeAssistantOffer } from './home-assistant-offer.ts'
import { KeptOpen } from './kept-open.ts'
import { KnownVoices } from './known-voices.ts'
import { type LimitSettings, ServiceConnection } from './service-connection.ts'
import {
  type PlaceSettings,
  placeOf,
  placeOfDevice,
  type ServicePlace,
  type SharedParts,
} from './service-place.ts'
import { readServicePronunciations } from './service-pronunciations.ts'
import { openSoundStore, ServiceSpeech, type SpeechSettingsOfService } from './service-speech.ts'

interface ServiceCredentials {
  apiKey?: string
  redisPassword?: string
}

interface ServiceDef extends NodeDef, ServiceSettings, PlaceSettings {
  name: string
}

/** The settings of the form. Voice, model and encoding apply to nodes with empty fields. */
interface ServiceSettings extends LimitSettings, SpeechSettingsOfService {
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

function register(RED: NodeAPI): void {
  const shared = createSharedParts(RED)
  const { device, offer, budgetFile, recentSpeech } = shared
  onRemoval(RED, ({ isDeleted }) => budgetFile.removeOf(isDeleted))

  function Service(this: ServiceNode, config: ServiceDef) {
    RED.nodes.createNode(this, config)
    const isOffered = config.location !== 'hosted' && config.homeAssistant === true
    // Home Assistant may ask at any time.
    const settings = isOffered ? { ...config, whenUnused: 'keep' as const } : config
    const place = placeOf(RED, this, config, shared)
    const { close, ...service } = createService(RED, settings, place)
    Object.assign(this, service)
    offer.set(this.id, isOffered)
    if (isOffered) service.startAhead()
    handleClose(RED, this, () => {
      offer.set(this.id, false)
      return close()
    })
  }
  RED.nodes.registerType<ServiceNode, ServiceDef, object, ServiceCredentials>(
    'parlando-service',
    Service,
    {
      credentials: { apiKey: { type: 'password' }, redisPassword: { type: 'password' } },
      settings: { parlandoServiceLanguage: { value: nodeRedLanguage(RED), exportable: true } },
    },
  )
  const open = (settings: ServiceSettings) => (report: ProblemReport) =>
    createService(RED, settings, placeOfDevice(shared, report))
  provideThisDevice(open({}), open({ whenUnused: 'stop' }))
  addAdminRoutes(RED, device, recentSpeech)
}

function createSharedParts(RED: NodeAPI): SharedParts {
  const userFolder = RED.settings.userDir ?? '.'
  const folder = join(userFolder, 'parlando')
  const offer = new HomeAssistantOffer()
  const onProblem = (reason: string) => RED.log.warn(RED._('service.error.not-offered', { reason }))
  const device = createDeviceService({ start: startOnDevice(userFolder, { offer, onProblem }) })
  const budgetFile = new BudgetFile(join(folder, 'budgets.json'), ({ message }) =>
    RED.log.warn(RED._('service.error.budget-not-saved', { reason: message })),
  )
  // The studio then asks for the list: a text is only for users who may read it.
  const recentSpeech = new RecentSpeech(() => RED.comms.publish(recentSpeechTopic, {}, false))
  return { device, offer, budgetFile, recentSpeech, soundsFolder: join(folder, 'sounds') }
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
function createService(RED: NodeAPI, settings: ServiceSettings, place: ServicePlace): OpenService {
  const { isOnDevice, acquire, report } = place
  const form = readSettings({}, settings, settingTable) as Defaults
  const { voiceId: chosenVoiceId, ...defaults } = form
  const pronunciations = readServicePronunciations(settings.pronunciations, isOnDevice)
  const isOffered = isOnDevice && settings.homeAssistant === true
  const whenEnded = isOffered ? 'restarting' : 'ended'
  const connection = new ServiceConnection({
    acquire,
    pronunciations: pronunciations.entries,
    limits: settings,
    ...(isOnDevice && stopsWhenUnused(settings.whenUnused) && { unusedLimitMs }),
    onExit: (reason) => report.warn(RED._(`service.error.${whenEnded}`, { reason })),
    // A connection ends only after its first use, when the voices below exist.
    onEnd() {
      voices.forget()
      keptOpen?.ended()
    },
  })
  const keptOpen = isOffered
    ? new KeptOpen({ open: () => connection.open(), onProblem: (reason) => report.error(reason) })
    : undefined
  const connect = (signal: AbortSignal) => connection.client(signal)
  const use: SpeechService['use'] = (signal, work) => connection.use(work, signal)
  const onProblem = (reason: string) =>
    report.warn(RED._('service.error.sound-not-kept', { reason }))
  const { store, knownDefaults } = openSoundStore(settings, place, onProblem)
  const voices = new KnownVoices(RED, connect, knownDefaults)
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
    speak: (request, call) => speech.speak(request, call),
    respell: pronunciations.respell,
    reserveBudget: (needs, mayExceed) => speech.reserveBudget(needs, mayExceed),
    budgetShare: () => speech.budgetShare,
    speech,
    startAhead() {
      if (keptOpen) void keptOpen.open()
      else if (isOnDevice) connection.open().catch((error: Error) => report.error(error.message))
    },
    async close() {
      keptOpen?.close()
      const disconnected = connection.close()
      await Promise.all([disconnected, speech.close(disconnected)])
    },
  }
  speech.prepare()
  return service
}

// Includes boards that are sold with 2 GB, because they report a little less.
const isSmallDevice = totalmem() < 2 * 1024 ** 3
const unusedLimitMs = 10 * 60_000

function stopsWhenUnused(whenUnused: WhenUnused = ''): boolean {
  return whenUnused === 'stop' || (whenUnused !== 'keep' && isSmallDevice)
}

export = register
