import type { Client, Voice } from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { isLanguageCode } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import type { KeptFact } from '../../kept-sound/kept-fact.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { defaultVoiceOf, type ListedVoice } from '../../runtime/speech/default-voice.ts'
import type { ServiceCall } from '../../runtime/speech-service.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'

/** The time limit of a list that no message waits for. */
const listLimitMs = 30_000
/** Messages may name any voice. */
const maxKnown = 1000
/** Instant and professional clones. */
const cloneSources = ['IVC', 'PVC']

interface KnownVoice {
  /** Absent if the service has none for it. */
  langCode: string | undefined
  isClone: boolean
}

/** The default voice for a language, as it was when it was kept. */
export type RememberedVoices = (language: string) => KeptFact

/** What a service has said about its voices. */
export class KnownVoices {
  readonly #RED: NodeAPI
  readonly #connect: (signal: AbortSignal) => Promise<Client>
  readonly #remembered: RememberedVoices | undefined
  #listed: readonly ListedVoice[] = []
  /** Whether a remembered voice may not exist any more. */
  #isOutdated = false
  readonly #known = new Map<string, KnownVoice>()

  /** @param remembered the default voices of earlier: with them, sound that is kept needs no service. */
  constructor(
    RED: NodeAPI,
    connect: (signal: AbortSignal) => Promise<Client>,
    remembered?: RememberedVoices,
  ) {
    this.#RED = RED
    this.#connect = connect
    this.#remembered = remembered
  }

  /** The default voice for the language of a text. */
  async defaultFor({ language, ...call }: ServiceCall & { language?: unknown }): Promise<string> {
    const wanted = isLanguageCode(String(language)) ? String(language) : nodeRedLanguage(this.#RED)
    if (this.#listed.length === 0 && !this.#isOutdated) {
      const known = await this.#remembered?.(wanted).read()
      if (known) {
        // Nobody waits for it. The next text has the voice of the list.
        void this.#list({ signal: AbortSignal.timeout(listLimitMs) }).catch(() => {})
        return known
      }
    }
    await this.#list(call)
    const voice = defaultVoiceOf(this.#listed, wanted)
    if (!voice) throw new NodeInputError(this.#RED._('service.error.no-voices'))
    void this.#remembered?.(wanted).keep(voice.voiceId)
    return voice.voiceId
  }

  async #list(call: ServiceCall): Promise<void> {
    if (this.#listed.length === 0) {
      const client = await this.#connect(call.signal)
      const { voices } = await client.listVoices({}, call)
      this.#listed = voices.map(({ voiceId, langCode, promptLanguages }) => ({
        voiceId,
        langCode,
        promptLanguages,
      }))
      for (const voice of voices) this.#note(voice.voiceId, voice)
      this.#isOutdated = false
    }
  }

  /** @returns nothing if the service does not know the voice, has no language for it, or did not respond. */
  async languageOf(
    voiceId: string,
    { isKept, ...call }: ServiceCall & { isKept?: boolean | undefined },
  ): Promise<string | undefined> {
    if (!isKept) await this.#find(voiceId, call)
    return this.#known.get(voiceId)?.langCode
  }

  /** @returns nothing if the service did not respond. */
  async isClone(voiceId: string, call: ServiceCall): Promise<boolean | undefined> {
    await this.#find(voiceId, call)
    return this.#known.get(voiceId)?.isClone
  }

  /** Called with the error of a failed request: the default voice may no longer exist. */
  noteFailure(error: unknown): void {
    if (!isNotFound(error)) return
    this.forget()
    this.#isOutdated = true
  }

  /** The service that starts next may have other voices. */
  forget(): void {
    this.#listed = []
    this.#known.clear()
  }

  /** Asks the service about a voice once. */
  async #find(voiceId: string, call: ServiceCall): Promise<void> {
    if (this.#known.has(voiceId)) return
    const client = await this.#connect(call.signal)
    try {
      this.#note(voiceId, await client.getVoice(voiceId, { ...call, maxRetries: 0 }))
    } catch (error) {
      call.signal.throwIfAborted()
      // Without a language there is no warning, and the speech itself reports what is wrong.
      if (isNotFound(error)) this.#note(voiceId, {})
    }
  }

  #note(voiceId: string, { langCode, source }: Pick<Partial<Voice>, 'langCode' | 'source'>): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    const isClone = cloneSources.includes(source ?? '')
    this.#known.set(voiceId, { langCode: langCode ?? undefined, isClone })
  }
}

function isNotFound(error: unknown): boolean {
  return ParlandoError.isInstance(error) && error.code === 'NOT_FOUND'
}
