import { aLawSample, muLawSample } from '../audio/g711.ts'
import { createPcmReader } from '../listening/pcm-reader.ts'
import { samplesPerMs } from '../listening/turns/frames.ts'
import type { SpeechDetector } from '../listening/turns/speech-detector.ts'
import type { TurnRule } from '../listening/turns/turn-rule.ts'
import { createTurnSplitter, type TurnPart } from '../listening/turns/turn-splitter.ts'
import { createTurnLimit } from '../server/event-loop-turns.ts'
import type { Format } from './session-settings.ts'
import {
  type EndedTurn,
  type StartedTurn,
  startUserTurn,
  type UserTurn,
  type UserTurnOptions,
} from './user-turn.ts'

export interface InputAudioOptions extends Omit<UserTurnOptions, 'prefixMs'> {
  format: Format
  rule: TurnRule
  /** Helps to find the turns. */
  speechDetector?: SpeechDetector
  /** The length of the session's audio before this. */
  offsetMs: number
  /** The user has begun to speak. Not called if the client ends the turns. */
  onSpeechStarted(turn: StartedTurn): void
  /** The user has finished. Not called if the client ends the turns. */
  onSpeechStopped(turn: EndedTurn): void
}

/** The audio of the user: finds the turns and transcribes them while they are spoken. */
export interface InputAudio {
  /** Takes audio in pieces of any length. Resolves when the recogniser is not too far behind. */
  append(bytes: Uint8Array): Promise<void>
  /** Ends the current turn because the client wants it. @returns undefined if there is no turn. */
  commit(): EndedTurn | undefined
  /** Drops the current turn. */
  clear(): void
  /** Whether a turn has begun. */
  readonly isInTurn: boolean
  /** The length of the session's audio so far. */
  readonly durationMs: number
  /** Stops the transcription of the current turn and frees memory. Must be called after success and after failure. */
  close(): void
}

/** While this many turns, or utterances of a long turn, are being transcribed, the client has to wait. */
const maxUnfinished = 4

export async function createInputAudio(options: InputAudioOptions): Promise<InputAudio> {
  const { format, rule, speechDetector, offsetMs, onSpeechStarted, onSpeechStopped } = options
  const reader = await createPcmReader({ sampleRateHertz: format.rate, channels: 1 })
  const splitter = await createTurnSplitter(rule, speechDetector)
  const decode = decoders[format.type]
  const endLongTurn = createTurnLimit()
  const unfinished = new Set<Promise<unknown>>()
  let current: UserTurn | undefined
  let samplesReceived = 0

  const start = (startMs: number): void => {
    // A turn that the client ends can be longer than an utterance of the recogniser.
    if (current) return
    current = startUserTurn(offsetMs + startMs, { ...options, prefixMs: rule.prefixMs })
    if (rule.detectsSpeech) onSpeechStarted(current)
  }
  const end = (endMs: number, silenceMs: number): EndedTurn | undefined => {
    const turn = current?.end(offsetMs + endMs, silenceMs)
    current = undefined
    if (turn) watch(turn.transcript)
    return turn
  }
  const watch = (transcript: Promise<unknown>): void => {
    const finished = transcript.catch(() => {}).finally(() => unfinished.delete(finished))
    unfinished.add(finished)
  }
  const take = (part: TurnPart): void => {
    if (part.type === 'speechStarted') start(part.startMs)
    else if (part.type === 'samples') current?.write(part.samples)
    else if (!rule.detectsSpeech) {
      const transcript = current?.splitUtterance()
      if (transcript) watch(transcript)
    } else {
      const turn = end(part.endMs, part.silenceMs)
      if (turn) onSpeechStopped(turn)
    }
  }
  const receivedMs = () => Math.round(samplesReceived / samplesPerMs)

  return {
    async append(bytes) {
      for (const samples of reader.push(decode(bytes))) {
        await endLongTurn()
        samplesReceived += samples.length
        for (const part of await splitter.push(samples)) take(part)
        while (unfinished.size >= maxUnfinished) await Promise.race(unfinished)
      }
    },
    commit() {
      const parts = splitter.end()
      const last = parts.at(-1)
      for (const part of parts) if (part !== last) take(part)
      return end(receivedMs(), last?.type === 'speechStopped' ? last.silenceMs : 0)
    },
    clear() {
      splitter.end()
      current?.cancel()
      current = undefined
    },
    get isInTurn() {
      return current !== undefined
    },
    get durationMs() {
      return offsetMs + receivedMs()
    },
    close() {
      current?.cancel()
      reader.close()
      splitter.close()
    },
  }
}

/** To 16-bit PCM. */
const decoders: Readonly<Record<Format['type'], (bytes: Uint8Array) => Uint8Array>> = {
  'audio/pcm': (bytes) => bytes,
  'audio/pcmu': createG711Decoder(muLawSample),
  'audio/pcma': createG711Decoder(aLawSample),
}

function createG711Decoder(sampleOf: (byte: number) => number): (bytes: Uint8Array) => Uint8Array {
  const samples = Array.from({ length: 256 }, (_, byte) => sampleOf(byte))
  return (bytes) => {
    const pcm = new DataView(new ArrayBuffer(bytes.length * 2))
    for (let at = 0; at < bytes.length; at++) pcm.setInt16(at * 2, samples[bytes[at]!]!, true)
    return new Uint8Array(pcm.buffer)
  }
}
