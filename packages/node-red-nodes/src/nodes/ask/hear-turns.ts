import type { Client } from '@parlando/core'
import { createBestMicrophone } from '../../microphones/best-microphone.ts'
import {
  createEchoFreeStream,
  type EchoFreeStream,
  searchSamples,
  type TurnSamples,
} from '../../microphones/echo/echo-free-stream.ts'
import type { Microphone } from '../../microphones/microphone.ts'
import { bytesPerSecond, sampleRateHertz } from '../../microphones/microphone-recording.ts'
import type { Recognised } from '../../recognition/recognised.ts'
import { transcribeLive } from '../../recognition/transcribe-live.ts'
import type { SpeechService } from '../../runtime/find-service.ts'
import type { Sound } from '../../sounds/sound.ts'
import { createGrowingRecording } from '../../sounds/to-recognise/growing-recording.ts'
import type { Question } from './read-question.ts'

/** A recogniser that is behind by more does not catch up. */
const maxWaitingBytes = 30 * bytesPerSecond

export interface HearingOptions {
  /** Runs work with the client of the speech service. */
  use: SpeechService['use']
  question: Question
  signal: AbortSignal
  /** Somebody begins to speak. `onTurn` follows. */
  onSpeech(): void
  /**
   * Somebody has said something.
   * @param isVoice whether it was not the sound that the microphone removes.
   */
  onTurn(turn: Recognised, isVoice: boolean): void
}

/** The microphone of a place. */
export interface SpeakerMicrophone {
  name: string
  microphone: Microphone
}

export interface Hearing {
  /** Resolves when the recogniser is connected, or cannot be, which `failed` tells. */
  connected: Promise<void>
  /**
   * Listens with a microphone while the question is said. If it fails, it is opened again with all others.
   * @param played the sound that plays next to it from now on, for a microphone that does not remove it itself.
   */
  openEarly(place: SpeakerMicrophone, played?: Sound): void
  /** Closes all microphones: another sound interrupts the question, and could be taken for an answer. */
  closeEarly(): void
  /** Listens with all microphones, and chooses again which one hears best. */
  openAll(places: readonly SpeakerMicrophone[]): void
  /** Rejects when nothing can be heard: the recogniser has failed, or every microphone that should be open. */
  failed: Promise<never>
  /** Ends it, and resolves when the microphones are closed. */
  close(): Promise<void>
}

/** Listens with the microphones of one or more places, and recognises what the one that hears best has heard. */
export function createHearing({ use, question, signal, ...handlers }: HearingOptions): Hearing {
  const ending = new AbortController()
  const ended = AbortSignal.any([signal, ending.signal])
  const heard = createHeardSound()
  const listening = new Map<string, { end(): void; ended: Promise<void> }>()
  let fail = (_error: unknown) => {}
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  const best = createBestMicrophone({
    onPcm: heard.append,
    onChosen(name) {
      for (const [other, { end }] of listening) if (other !== name) end()
    },
  })
  /** The places that should be heard after the question, and whose microphones have not failed. */
  const required = new Map<string, SpeakerMicrophone>()
  let isSaid = false
  let noteConnected = () => {}
  const connected = new Promise<void>((resolve) => {
    noteConnected = resolve
  })
  const recognised = use(ended, (client) => {
    noteConnected()
    return recognise(client, { question, heard, signal: ended, ...handlers })
  })
  const isRecognised = recognised
    .catch((error) => ended.aborted || fail(error))
    .finally(noteConnected)

  const open = ({ name, microphone }: SpeakerMicrophone, played?: Sound) => {
    if (listening.has(name)) return
    best.chooseAgain()
    const own = new AbortController()
    const ownSignal = AbortSignal.any([ended, own.signal])
    const take = heard.createFilter(name, played, ownSignal)
    const leave = (error?: unknown) => {
      listening.delete(name)
      best.leave(name)
      if (ended.aborted) return
      if (!own.signal.aborted) required.delete(name)
      // The other ones may hear it. If this one was chosen, they were closed.
      if (listening.size > 0) return
      for (const place of required.values()) open(place)
      if (error && isSaid && required.size === 0) fail(error)
    }
    const onPcm = (pcm: Buffer) => best.push(name, take(pcm))
    const isEnded = microphone.listen({ signal: ownSignal, onPcm }).then(() => leave(), leave)
    listening.set(name, { end: () => own.abort(), ended: isEnded })
  }
  return {
    connected,
    failed,
    openEarly: open,
    closeEarly() {
      for (const { end } of listening.values()) end()
    },
    openAll(places) {
      isSaid = true
      heard.noteSaid()
      for (const place of places) required.set(place.name, place)
      for (const place of places) open(place)
    },
    async close() {
      ending.abort()
      best.close()
      const microphones = [...listening.values()].map(({ ended }) => ended)
      await Promise.all([isRecognised, ...microphones])
    },
  }
}

/** The sound of the microphone that hears best, and whether a turn in it is a voice. */
function createHeardSound() {
  const audio = createGrowingRecording()
  const streams = new Map<string, EchoFreeStream>()
  let source: string | undefined
  let samples = 0
  let isSaid = false
  return {
    readChunks: audio.readChunks,
    append(pcm: Buffer, from: string) {
      source = from
      if (audio.waitingBytes >= maxWaitingBytes) return
      samples += pcm.length / 2
      audio.append(pcm)
    },
    /** The question was said to its end. */
    noteSaid() {
      isSaid = true
    },
    /** @returns a function that removes the played sound from what a microphone records. */
    createFilter(name: string, played: Sound | undefined, signal: AbortSignal) {
      streams.delete(name)
      if (!played) return (pcm: Buffer) => pcm
      const startedAt = performance.now()
      return (pcm: Buffer) => {
        const stream =
          streams.get(name) ?? createEchoFreeStream(played, performance.now() - startedAt, signal)
        streams.set(name, stream)
        const rest = stream.take(pcm)
        // The question would be recognised, and hold up the answer to it.
        const isQuestion = !isSaid && !stream.isSettled && stream.samples < searchSamples
        return isQuestion ? Buffer.alloc(rest.length) : rest
      }
    },
    /** Until now. */
    get samples() {
      return samples
    },
    isVoice(turn: TurnSamples): boolean {
      const stream = source === undefined ? undefined : streams.get(source)
      if (!stream) return true
      // A microphone that was chosen late has a time of its own.
      const lateness = stream.samples - samples
      const own = { start: turn.start + lateness, end: turn.end + lateness }
      return stream.isVoice(own, false)
    },
  }
}

async function recognise(
  client: Client,
  {
    question: { answers, language, modelId, silenceMs, completeSilenceMs },
    heard,
    signal,
    onSpeech,
    onTurn,
  }: Omit<HearingOptions, 'use'> & { heard: ReturnType<typeof createHeardSound> },
): Promise<void> {
  const request = {
    language,
    wordTimestamps: false,
    silenceMs,
    completeSilenceMs,
    ...(modelId !== undefined && { modelId }),
    ...(answers.possible && { sentences: answers.possible.map(({ sentence }) => sentence) }),
  }
  const audio = { kind: 'live', sampleRateHertz, readChunks: heard.readChunks } as const
  const turn = { start: 0, end: 0 }
  const events = transcribeLive(client, { request, audio, call: { signal }, onProgress() {} })
  for await (const { event } of events) {
    if (event.type === 'speechStarted') {
      turn.start = (event.startMs / 1000) * sampleRateHertz
      onSpeech()
    }
    // The recogniser needs some time, in which the question may go on.
    if (event.type === 'speechStopped') turn.end = heard.samples
    if (event.type === 'final') onTurn(event, heard.isVoice(turn))
  }
}
