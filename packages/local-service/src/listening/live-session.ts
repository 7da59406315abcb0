import {
  type RecognisedUtterance,
  type Recogniser,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recognisers/recogniser.ts'
import { createTurnLimit } from '../server/event-loop-turns.ts'
import { createPcmReader, type PcmFormat } from './pcm-reader.ts'
import { createTurnRecognition, type TurnRecognition } from './turn-recognition.ts'
import type { SpeechDetector } from './turns/speech-detector.ts'
import type { TurnRule } from './turns/turn-rule.ts'
import { createTurnSplitter, type TurnPart } from './turns/turn-splitter.ts'

export interface LiveSessionOptions extends PcmFormat {
  recogniser: Recogniser
  /** The part of the requests that is the same for all turns. */
  request: Omit<RecognitionRequest, 'onInterim'>
  rule: TurnRule
  /** Helps to find the turns. */
  speechDetector?: SpeechDetector
  /** Receives the results in order. Except for interim results, the session waits for the returned promise. */
  onResult(result: LiveResult): Promise<void>
}

/** Times count from the first sample of the session. */
export type LiveResult =
  | { type: 'speechStarted'; startMs: number }
  /** The text of the turn so far. */
  | { type: 'interim'; text: string }
  | { type: 'speechStopped'; silenceMs: number }
  /** The times of the words count from `startMs`. */
  | {
      type: 'final'
      utterance: RecognisedUtterance
      startMs: number
      endMs: number
      silenceMs: number
    }

/** Transcribes speech while it is spoken. The calls must follow one another. */
export interface LiveSession {
  /** Takes PCM in pieces of any length. Resolves when the recogniser wants more. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the turn. Exactly one final result follows, which is empty if nothing was said. */
  endTurn(): Promise<void>
  /** Ends the sound. Resolves after the last result. */
  end(): Promise<void>
  /** The length of the sound so far. */
  readonly durationMs: number
  /** Stops the recognition and frees memory. Must be called after success and after failure. */
  close(): void
}

export async function createLiveSession(options: LiveSessionOptions): Promise<LiveSession> {
  const { recogniser, rule, speechDetector, onResult } = options
  const closing = new AbortController()
  const endLongTurn = createTurnLimit()
  const request = {
    ...options.request,
    signal: AbortSignal.any([options.request.signal, closing.signal]),
    onInterim: (text: string) => void onResult({ type: 'interim', text }),
  }
  const reader = await createPcmReader(options)
  const splitter = await createTurnSplitter(rule, speechDetector)
  let turn: { startMs: number; recognition: TurnRecognition } | undefined
  let samplesReceived = 0

  const take = async (part: TurnPart): Promise<void> => {
    if (part.type === 'speechStarted') {
      const { startMs } = part
      turn = { startMs, recognition: createTurnRecognition(recogniser, request) }
      if (rule.detectsSpeech) await onResult(part)
    } else if (part.type === 'samples') await turn?.recognition.write(part.samples)
    else if (turn) {
      const { startMs, recognition } = turn
      const { endMs, silenceMs } = part
      turn = undefined
      if (rule.detectsSpeech) await onResult({ type: 'speechStopped', silenceMs })
      const utterance = await recognition.end(silenceMs)
      await onResult({ type: 'final', utterance, startMs, endMs, silenceMs })
    }
  }
  const takeSamples = async (pieces: Iterable<Int16Array>): Promise<void> => {
    for (const samples of pieces) {
      await endLongTurn()
      samplesReceived += samples.length
      for (const part of await splitter.push(samples)) await take(part)
    }
  }
  const durationMs = () => Math.round((samplesReceived * 1000) / recogniserRateHertz)

  return {
    write: (bytes) => takeSamples(reader.push(bytes)),
    async endTurn() {
      const parts = splitter.end()
      for (const part of parts) await take(part)
      if (parts.length > 0) return
      await onResult({
        type: 'final',
        utterance: { text: '' },
        startMs: durationMs(),
        endMs: durationMs(),
        silenceMs: 0,
      })
    },
    async end() {
      await takeSamples([reader.end()])
      for (const part of splitter.end()) await take(part)
    },
    get durationMs() {
      return durationMs()
    },
    close() {
      closing.abort()
      reader.close()
      splitter.close()
    },
  }
}
