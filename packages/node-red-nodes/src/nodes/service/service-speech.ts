import { completeAddress } from '@parlando/core/address'
import type { SharedCounters } from '@parlando/store'
import type { NodeAPI } from 'node-red'
import packageJson from '../../../package.json' with { type: 'json' }
import { Budget, type BudgetSettings, readLimits } from '../../budgets/budget.ts'
import { BudgetCounts } from '../../budgets/budget-counts.ts'
import { keptFact } from '../../kept-sound/kept-fact.ts'
import { KeptSpeech } from '../../kept-sound/kept-speech.ts'
import { KnownVersion } from '../../kept-sound/known-version.ts'
import { type KeepSettings, openStore } from '../../kept-sound/open-store.ts'
import {
  PreparedSentences,
  readSentences,
  speakerFormats,
} from '../../kept-sound/prepared-sentences.ts'
import type { ServiceReport } from '../../runtime/service-report.ts'
import { readSpeechRequest } from '../../runtime/speech/speech-request.ts'
import type { ServiceCall, ServiceDefaults, SpeechService } from '../../runtime/speech-service.ts'
import type { KnownVoices, RememberedVoices } from './known-voices.ts'
import type { ServicePlace } from './service-place.ts'

/** The settings of the form about speech. */
export interface SpeechSettingsOfService extends KeepSettings, BudgetSettings {
  /** A sentence on each line, which is made at the deploy. */
  prepared?: string
  /** What the studio shows of it. Empty: texts and sounds. */
  recentSpeech?: '' | 'texts' | 'off'
}

interface SpeechContext {
  place: ServicePlace
  defaults: ServiceDefaults
  use: SpeechService['use']
  /** @returns the text that the client sends. */
  pronounce(text: string): string
  store: SoundStore
  voices: Pick<KnownVoices, 'isClone'>
  /** That of the form, or else the first one that the service lists. */
  defaultVoiceId(call: ServiceCall): Promise<string>
  onProblem(reason: string): void
  /** Called with a sentence when most or all of the budget is spent. */
  onNotice(sentence: string): void
}

type SoundStore = ReturnType<typeof openStore>

const ofDevice = { device: packageJson.version }

/**
 * Opens the store of sound, and what it knows of the default voices of earlier.
 * @param onProblem called with the reason if sound cannot be kept.
 */
export function openSoundStore(
  settings: KeepSettings,
  { isOnDevice, baseUrl = '', soundFolder, redisPassword }: ServicePlace,
  onProblem: (reason: string) => void,
): { store: SoundStore; rememberedVoices: RememberedVoices } {
  const store = openStore(settings, { folder: soundFolder, password: redisPassword, onProblem })
  const place = isOnDevice ? ofDevice : { address: completeAddress(baseUrl) }
  return {
    store,
    rememberedVoices: (language) => keptFact(store, { place, defaultVoiceFor: language }),
  }
}

/** The time to learn the version of the service, or whether a voice is a clone. */
const askLimitMs = 10_000

/** How a service speaks: what is kept of its speech, and what is made ahead. */
export class ServiceSpeech {
  readonly speak: SpeechService['speak']
  readonly #kept: KeptSpeech
  readonly #budget: Budget | undefined
  readonly #store: SoundStore
  readonly #RED: NodeAPI
  readonly #settings: SpeechSettingsOfService
  readonly #context: SpeechContext
  #prepared: PreparedSentences | undefined

  constructor(RED: NodeAPI, settings: SpeechSettingsOfService, context: SpeechContext) {
    this.#RED = RED
    this.#settings = settings
    this.#context = context
    const { place } = context
    const { isOnDevice, baseUrl = '' } = place
    const { keepSound = '', keepClones = false } = settings
    const isPersistent = keepSound === 'disk' || keepSound === 'redis'
    const address = completeAddress(baseUrl)
    this.#store = context.store
    const version = new KnownVersion({ address, store: this.#store, ask: () => this.#askVersion() })
    // Other services are asked only if their form says that sound is kept.
    const mayAskVersion = keepSound !== '' && keepSound !== 'off'
    this.#budget = createBudget(RED, settings, context)
    this.#kept = new KeptSpeech({
      place: async () => {
        if (isOnDevice) return ofDevice
        return mayAskVersion ? { address, version: await version.get() } : { address }
      },
      store: this.#store,
      mayAsk: ({ isAnnouncement = false, isPreparation = false }) =>
        isOnDevice || keepSound !== '' || isAnnouncement || isPreparation,
      mayAdd: async (voiceId) => {
        if (!isPersistent || keepClones) return true
        const call = { signal: AbortSignal.timeout(askLimitMs) }
        return (await context.voices.isClone(voiceId, call)) === false
      },
      pronounce: context.pronounce,
      use: context.use,
      budget: this.#budget,
      onSpoken: (request) => this.#prepared?.noteRequest(request),
    })
    const { recentSpeech = '' } = settings
    const origin = { service: place.name, isOnDevice, keepsSound: recentSpeech !== 'texts' }
    this.speak = async (request, call, options = {}) => {
      const speech = await this.#kept.speak(request, call, options)
      if (recentSpeech === 'off') return speech
      return place.recentSpeech.observe(speech, request, { ...origin, textId: options.textId })
    }
  }

  /** Begins to make the sentences of the form. */
  prepare(): void {
    const { place, defaults, defaultVoiceId, onProblem } = this.#context
    const sources = { text: '', form: {}, message: { _msgid: '' }, defaults }
    const { text: _, ...usual } = readSpeechRequest(this.#RED, sources)
    const ofSpeakers = speakerFormats.map((audioConfig) => ({ ...usual, audioConfig }))
    this.#prepared = new PreparedSentences({
      sentences: readSentences(this.#settings.prepared),
      // A hosted service may cost money for each of them.
      shapes: place.isOnDevice ? [usual, ...ofSpeakers] : [usual],
      defaultVoiceId: (signal) => defaultVoiceId({ signal }),
      speak: (request, call, options) => this.#kept.speak(request, call, options),
      onProblem: ({ message }) => onProblem(message),
    })
  }

  async #askVersion(): Promise<string | undefined> {
    const signal = AbortSignal.timeout(askLimitMs)
    let version: string | undefined
    await this.#context.use(signal, async (client) => {
      version = await client.serviceVersion({ signal, maxRetries: 0 })
    })
    return version
  }

  reserveBudget: SpeechService['reserveBudget'] = (needs, mayExceed) =>
    this.#budget?.begin(needs, mayExceed)

  get budgetShare(): number {
    return this.#budget?.share ?? 0
  }

  async report(): Promise<ServiceReport> {
    const budget = this.#budget?.states ?? []
    return { ...this.#kept.figures, ...(await this.#store)?.size(), budget }
  }

  async clear(): Promise<void> {
    await this.#kept.clear()
  }

  /** @param disconnected resolves when no request counts for the budget any more. */
  async close(disconnected: Promise<void>): Promise<void> {
    this.#prepared?.close()
    await this.#kept.close()
    await disconnected
    await this.#budget?.close()
  }
}

/** @returns nothing for a form without limits. */
function createBudget(
  RED: NodeAPI,
  settings: SpeechSettingsOfService,
  { place, onNotice }: SpeechContext,
): Budget | undefined {
  const limits = readLimits(settings)
  if (limits.length === 0) return undefined
  const { isOnDevice, baseUrl = '', redisPassword, serviceId, budgetFile } = place
  const { keepSound, redisUrl = '' } = settings
  const shared = keepSound === 'redis' ? openCounters(redisUrl, redisPassword) : undefined
  const counts = new BudgetCounts({
    file: budgetFile,
    serviceId,
    sharedName: isOnDevice ? 'device' : completeAddress(baseUrl),
    // Its failures are reported by the store for sound.
    shared: Promise.resolve(shared).catch(() => undefined),
  })
  return new Budget(RED, { limits, counts, onNotice })
}

async function openCounters(url: string, password: string | undefined): Promise<SharedCounters> {
  const { openRedisCounters } = await import('@parlando/store')
  return openRedisCounters({ url, ...(password && { password }) })
}
