import type { Client, SpeechRequest } from '@parlando/core'
import type { KeptSound, SpeechStore } from '@parlando/store'
import type { Budget } from '../budgets/budget.ts'
import type { KeptFigures } from '../runtime/service-report.ts'
import type { ServiceCall, SpeakingOptions, Speech, Spending } from '../runtime/speech-service.ts'
import { factsOf, keyOf, toKeptSound, toSpeech } from './kept-format.ts'
import { MadeSpeech } from './made-speech.ts'
import { SharedSpeech } from './shared-speech.ts'

export interface KeptSpeechOptions {
  /** What the sound depends on besides the request: the service and its version. */
  place(): Promise<object>
  /** @returns the text that is spoken: the sound depends on it. */
  pronounce(text: string): string
  /** Where sound is kept; nothing: nowhere. */
  store: Promise<SpeechStore | undefined>
  /** Whether a call may get a sound from the store. */
  mayAsk(options: KeepOptions): boolean
  /** Whether the sound of a voice may be added to the store. */
  mayAdd(voiceId: string): Promise<boolean>
  /** Counts and limits what is requested. Default: nothing. */
  budget?: Pick<Budget, 'begin' | 'noteSpared'> | undefined
  /** Called when a message has received its whole speech. */
  onSpoken(request: SpeechRequest): void
  /** Connects to the service, and holds the connection until the work ends. */
  use(signal: AbortSignal, work: (client: Client) => Promise<void>): Promise<void>
}

/** How a text is spoken. `isPreparation`: as a sentence that stays in memory. */
export type KeepOptions = SpeakingOptions & { isPreparation?: boolean }

/** One sound has at most this many bytes: four minutes of MP3, or 80 s of PCM. */
const maxSoundBytes = 4 * 1024 * 1024
/** All sentences that are prepared have at most this many bytes. */
const maxPreparedBytes = 32 * 1024 * 1024

/** Speaks texts with a service, and keeps their sound for the next message with the same text, voice and settings. */
export class KeptSpeech {
  readonly figures: KeptFigures = { hits: 0, misses: 0, savedCharacters: 0, savedSeconds: 0 }
  readonly #options: KeptSpeechOptions
  /** What is being made, by key. */
  readonly #making = new Map<string, SharedSpeech>()
  /** The sentences that stay in memory, by key. One that is too much for the memory is not added. */
  readonly #prepared = new Map<string, KeptSound>()

  constructor(options: KeptSpeechOptions) {
    this.#options = options
  }

  /** Resolves when the sound was found, or the service is connected; the request is sent when the speech is read. */
  async speak(
    request: SpeechRequest,
    call: ServiceCall,
    options: KeepOptions = {},
  ): Promise<Speech> {
    const { place, pronounce, mayAsk } = this.#options
    const { keep = true, isPreparation } = options
    const store = mayAsk(options) ? await this.#options.store : undefined
    const mayFind = keep && (store || isPreparation || this.#prepared.size > 0)
    const key = mayFind ? await keyOf(await place(), request, pronounce) : undefined
    call.signal.throwIfAborted()
    const sought = { store, key, request, call, options }
    if (!key) return this.#make(sought).join(call.signal)
    let shared = this.#making.get(key)
    if (shared?.isJoinable) this.#noteJoined(shared, request)
    else {
      shared = this.#make(sought)
      this.#making.set(key, shared)
    }
    return shared.join(call.signal)
  }

  /** Forgets all sounds but those of prepared sentences. */
  async clear(): Promise<void> {
    await (await this.#options.store)?.clear()
  }

  /** Closes the store. What is being made goes on. */
  async close(): Promise<void> {
    await (await this.#options.store)?.close()
  }

  /** Finds the sound, or requests it. */
  #make(sought: Sought): SharedSpeech {
    const { key, request, call, options } = sought
    const askedAt = performance.now()
    let made: MadeSpeech | undefined
    const shared = new SharedSpeech({
      maxHeldBytes: key ? maxSoundBytes : 0,
      onChunk: (chunk) => made?.note(chunk),
      make: async (signal, ended) => {
        const kept = key && (await this.#find(key, sought))
        signal.throwIfAborted()
        if (kept) return toSpeech(kept, askedAt)
        this.figures.misses += 1
        made = new MadeSpeech(request, this.#spend(request, options))
        const own = { ...sought, call: { ...call, signal } }
        made.speech = await this.#connect(own, ended)
        return made.speech
      },
    })
    const end = async () => {
      made?.end()
      if (shared.isComplete && !options.isPreparation) this.#options.onSpoken(request)
      const { whole } = shared
      // Until it is kept, others can join it.
      if (key && made?.speech && whole) {
        await this.#keep({ ...sought, key }, toKeptSound(made.speech, whole, request.text))
      }
    }
    const forget = () => {
      if (key && this.#making.get(key) === shared) this.#making.delete(key)
    }
    void shared.ended.then(end).then(forget, forget)
    return shared
  }

  /** @throws {BudgetError} if the budget does not suffice for the text. */
  #spend(
    { text }: SpeechRequest,
    { isCounted, isAlarm = false }: KeepOptions,
  ): Spending | undefined {
    if (isCounted) return undefined
    return this.#options.budget?.begin({ characters: text.length, requests: 1 }, isAlarm)
  }

  async #find(key: string, { store, options }: Sought): Promise<KeptSound | undefined> {
    const kept = this.#prepared.get(key) ?? (await store?.get(key))
    if (!kept) return undefined
    const { characters, seconds = 0 } = factsOf(kept.facts)
    this.#noteHit(characters, seconds)
    if (options.isPreparation) this.#prepare(key, kept)
    return kept
  }

  async #keep(
    { store, key, request, options }: Sought & { key: string },
    sound: KeptSound,
  ): Promise<void> {
    if (options.isPreparation) this.#prepare(key, sound)
    if (store && (await this.#options.mayAdd(request.voiceId))) await store.add(key, sound)
  }

  #prepare(key: string, sound: KeptSound): void {
    this.#prepared.set(key, sound)
    const sizes = Array.from(this.#prepared.values(), ({ audio }) => audio.length)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (bytes > maxPreparedBytes) this.#prepared.delete(key)
  }

  /** @param ended Resolves when the speech was read. */
  #connect({ request, call, options }: Sought, ended: Promise<void>): Promise<Speech> {
    const { make = (client) => client.synthesizeStream(request, call) } = options
    return new Promise((resolve, reject) => {
      const work = async (client: Client) => {
        resolve(make(client, call))
        await ended
      }
      this.#options.use(call.signal, work).catch(reject)
    })
  }

  /** Nothing is saved if the speech that several wait for fails. */
  #noteJoined(shared: SharedSpeech, { text }: SpeechRequest): void {
    void shared.ended.then(() => {
      if (shared.isComplete) this.#noteHit(text.length, 0)
    })
  }

  #noteHit(characters: number, seconds: number): void {
    this.figures.hits += 1
    this.figures.savedCharacters += characters
    this.figures.savedSeconds += seconds
    this.#options.budget?.noteSpared(characters, seconds)
  }
}

/** What a call looks for. Without a key, nothing is looked for or kept. */
interface Sought {
  store: SpeechStore | undefined
  key: string | undefined
  request: SpeechRequest
  call: ServiceCall
  options: KeepOptions
}
