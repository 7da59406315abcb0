import type { Client } from '@parlando/core'
import { createBestMicrophone } from '../../microphones/best-microphone.ts'
import type { Microphone } from '../../microphones/microphone.ts'
import { sampleRateHertz } from '../../microphones/microphone-recording.ts'
import type { Recognised } from '../../recognition/recognised.ts'
import { transcribeLive } from '../../recognition/transcribe-live.ts'
import type { SpeechService } from '../../runtime/speech-service.ts'
import type { Sound } from '../../sounds/sound.ts'
import { type AnswerAudio, createAnswerAudio } from './answer-audio.ts'
import type { Question } from './read-question.ts'

export interface AnswerRecognitionOptions {
  /** Runs work with the client of the speech service. */
  use: SpeechService['use']
  question: Question
  signal: AbortSignal
  /**
   * Somebody begins to speak. `onTurn` follows.
   * @param beganWhileSaying whether the question was still said then. A slow recogniser reports it afterwards.
   */
  onSpeech(beganWhileSaying: boolean): void
  /**
   * Somebody has said something.
   * @param isVoice whether it was not the sound that the microphone removes.
   */
  onTurn(turn: Recognised, isVoice: boolean): void
}

/** Listens with the microphones of one or more speakers, and recognises the sound of the one that hears best. */
export class AnswerRecognition {
  /** Resolves when the recogniser is connected, or cannot be, which `failed` reports. */
  readonly connected: Promise<void>
  /** Rejects when no answer can be recognised: the recogniser has failed, or every microphone that should be open. */
  readonly failed: Promise<never>
  readonly #ending = new AbortController()
  readonly #ended: AbortSignal
  readonly #audio = createAnswerAudio()
  readonly #listening = new Map<Microphone, { end(): void; ended: Promise<void> }>()
  readonly #best = createBestMicrophone<Microphone>({
    onPcm: this.#audio.append,
    onChosen: (microphone) => {
      for (const [other, { end }] of this.#listening) if (other !== microphone) end()
    },
  })
  /** Those that should be open after the question, and have not failed. */
  #required = new Set<Microphone>()
  readonly #recognising: Promise<void>
  #isSaid = false
  #fail = (_error: unknown) => {}

  constructor({ use, question, signal, ...handlers }: AnswerRecognitionOptions) {
    this.#ended = AbortSignal.any([signal, this.#ending.signal])
    this.failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject
    })
    this.failed.catch(() => {})
    let noteConnected = () => {}
    this.connected = new Promise((resolve) => {
      noteConnected = resolve
    })
    this.#recognising = use(this.#ended, (client) => {
      noteConnected()
      return recognise(client, { question, audio: this.#audio, signal: this.#ended, ...handlers })
    })
      .catch((error) => {
        if (!this.#ended.aborted) this.#fail(error)
      })
      .finally(noteConnected)
  }

  /**
   * Listens with a microphone while the question is said. If it fails, it is opened again with all others.
   * @param played the sound that plays next to it from now on, for a microphone that does not remove it itself.
   */
  openEarly(microphone: Microphone, played?: Sound): void {
    this.#open(microphone, played)
  }

  /** Closes all microphones: another sound interrupts the question, and could be taken for an answer. */
  closeEarly(): void {
    for (const { end } of this.#listening.values()) end()
  }

  /** Listens with these microphones and no others, and chooses again which one hears best. */
  openAll(microphones: readonly Microphone[]): void {
    this.#isSaid = true
    this.#audio.noteSaid()
    this.#required = new Set(microphones)
    for (const [one, { end }] of this.#listening) if (!this.#required.has(one)) end()
    for (const one of microphones) this.#open(one)
  }

  /** Ends it, and resolves when the microphones are closed. */
  async close(): Promise<void> {
    this.#ending.abort()
    this.#best.close()
    const microphones = [...this.#listening.values()].map(({ ended }) => ended)
    await Promise.all([this.#recognising, ...microphones])
  }

  #open(microphone: Microphone, played?: Sound): void {
    if (this.#listening.has(microphone)) return
    this.#best.chooseAgain()
    const own = new AbortController()
    const signal = AbortSignal.any([this.#ended, own.signal])
    const take = this.#audio.createFilter(microphone, played, signal)
    const onPcm = (pcm: Buffer) => this.#best.push(microphone, take(pcm))
    const leave = (error?: unknown) => this.#leave(microphone, own.signal.aborted, error)
    const ended = microphone.listen({ signal, onPcm }).then(() => leave(), leave)
    this.#listening.set(microphone, { end: () => own.abort(), ended })
  }

  /** A microphone is closed. @param isUnneeded whether another one hears better, or none may be open now. */
  #leave(microphone: Microphone, isUnneeded: boolean, error: unknown): void {
    this.#listening.delete(microphone)
    this.#best.leave(microphone)
    if (this.#ended.aborted) return
    if (!isUnneeded) this.#required.delete(microphone)
    // The other ones may hear it. If this one was chosen, they were closed.
    if (this.#listening.size > 0) return
    for (const one of this.#required) this.#open(one)
    if (error && this.#isSaid && this.#required.size === 0) this.#fail(error)
  }
}

async function recognise(
  client: Client,
  {
    question: { answers, language, modelId, silenceMs, completeSilenceMs },
    audio,
    signal,
    onSpeech,
    onTurn,
  }: Omit<AnswerRecognitionOptions, 'use'> & { audio: AnswerAudio },
): Promise<void> {
  const request = {
    language,
    wordTimestamps: false,
    silenceMs,
    completeSilenceMs,
    ...(modelId !== undefined && { modelId }),
    ...(answers.possible && { sentences: answers.possible.map(({ sentence }) => sentence) }),
  }
  const recording = { kind: 'live', sampleRateHertz, readChunks: audio.readChunks } as const
  const turn = { start: 0, end: 0 }
  const events = transcribeLive(client, {
    request,
    audio: recording,
    call: { signal },
    onProgress() {},
  })
  for await (const { event } of events) {
    if (event.type === 'speechStarted') {
      turn.start = (event.startMs / 1000) * sampleRateHertz
      onSpeech(audio.beganWhileSaying(turn.start))
    }
    // The recogniser needs some time, in which the question may go on.
    if (event.type === 'speechStopped') turn.end = audio.samples
    if (event.type === 'final') onTurn(event, audio.isVoice(turn))
  }
}
