import type { Client } from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { isLanguageCode } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import type { ServiceCall } from '../../runtime/find-service.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import { defaultVoiceOf, type ListedVoice } from '../../shared/default-voice.ts'

/** Messages may name any voice. */
const maxLanguages = 1000

/** What a service has said about its voices. */
export class KnownVoices {
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

  /** Called with the error of a failed request: the default voice may no longer exist. */
  noteFailure(error: unknown): void {
    if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') this.forgetList()
  }

  /** The service that starts next may have other voices. */
  forgetList(): void {
    this.#listed = []
  }

  #note({ voiceId, langCode }: ListedVoice): void {
    if (this.#languages.size >= maxLanguages) this.#languages.clear()
    this.#languages.set(voiceId, langCode ?? undefined)
  }
}
