import type { SpeechChunk, SpeechRequest } from '@parlando/core'
import { createDurationMeter, type DurationMeter } from '@parlando/core/audio'
import type { Speech, Spending } from '../runtime/speech-service.ts'

/** Speech that the service makes for a request, and what it costs. */
export class MadeSpeech {
  /** Absent until the service is connected. */
  speech: Speech | undefined
  readonly #request: SpeechRequest
  readonly #spending: Spending | undefined
  #meter: DurationMeter | undefined

  /** @param spending absent if nobody counts it here. */
  constructor(request: SpeechRequest, spending: Spending | undefined) {
    this.#request = request
    this.#spending = spending
  }

  /** Measures a chunk that has arrived. */
  note({ audio }: SpeechChunk): void {
    if (!this.#spending || !this.speech) return
    const { encoding, sampleRateHertz } = this.speech
    this.#meter ??= createDurationMeter(encoding, sampleRateHertz)
    this.#meter.push(audio)
  }

  /** Counts what has arrived, and reserves no budget any more. */
  end(): void {
    this.#spending?.end()
    // Without audio, nothing was spent.
    if (!this.#meter) return
    const characters = this.speech?.usage?.processedCharactersCount ?? this.#request.text.length
    this.#spending?.count({ characters, seconds: this.#meter.seconds ?? 0, requests: 1 })
  }
}
