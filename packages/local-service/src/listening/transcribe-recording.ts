import {
  type RecordingFormat,
  readRecordingFormat,
  recordingLimits,
  recordingProblem,
} from '@parlando/core/audio'
import { decodeRecording } from '../audio/decoding/decode-recording.ts'
import { createSlots } from '../concurrency/slots.ts'
import { ServiceError, tooBusy } from '../errors/service-error.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recognisers/recogniser.ts'
import type { FoundModel } from '../recognisers/recogniser-registry.ts'
import type { PcmFormat } from './pcm-reader.ts'
import type { Segment } from './transcript.ts'
import { createTurnTranscriber, type EndedTurn } from './turn-transcriber.ts'
import type { SpeechDetector } from './turns/detectors.ts'
import { defaultTurnRule, type TurnRule } from './turns/turn-rule.ts'

export interface RecordingRequest extends FoundModel {
  /** A file, or PCM if `pcmFormat` is given. */
  audio: Uint8Array
  /** The name of the field with the audio, for messages. */
  field: string
  /** Default: the audio is a file. */
  pcmFormat?: PcmFormat
  language?: string
  prompts?: readonly string[]
  sentences?: readonly string[]
  withWords: boolean
  speechDetector?: SpeechDetector
  signal: AbortSignal
}

/** Counts what was transcribed, as soon as it is known. */
export interface TranscriptionProgress {
  seconds: number
}

// A sentence with pauses is one turn.
const sentenceRule: TurnRule = { ...defaultTurnRule, silenceMs: 2000 }

// Each recording has a thread and is held in memory.
const recordings = createSlots({
  slots: 4,
  limit: {
    maxWaiting: 12,
    toError: ({ running, waiting }) =>
      tooBusy(`${running + waiting} recordings are already being transcribed`),
  },
})

/**
 * Transcribes a recording turn by turn, so that the memory does not depend on its length.
 * @param progress receives the length of the recording so far.
 * @throws {ServiceError} if the audio cannot be decoded. {EngineError} if the recogniser fails.
 */
export async function* transcribeRecording(
  request: RecordingRequest,
  progress: TranscriptionProgress,
): AsyncGenerator<Segment, void> {
  const { recogniser, model, language, prompts, sentences, withWords, speechDetector } = request
  const closing = new AbortController()
  const signal = AbortSignal.any([request.signal, closing.signal])
  const source = openSource(request, signal)
  const release = await recordings.acquire(request.signal)
  const segments: Segment[] = []
  try {
    const transcriber = await createTurnTranscriber({
      ...source.format,
      recogniser,
      speechDetector,
      request: { modelId: model.modelId, language, prompts, sentences, withWords, signal },
      rule: sentences ? sentenceRule : defaultTurnRule,
      async onEnd(turn) {
        segments.push(toSegment(turn, await turn.utterance))
      },
    })
    try {
      for await (const bytes of source.pieces) {
        await transcriber.write(bytes)
        progress.seconds = transcriber.durationMs / 1000
        yield* segments.splice(0)
      }
      await transcriber.end()
      progress.seconds = transcriber.durationMs / 1000
      yield* segments.splice(0)
    } finally {
      transcriber.close()
    }
  } finally {
    closing.abort()
    release()
  }
}

interface Source {
  format: PcmFormat
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

function openSource({ audio, field, pcmFormat }: RecordingRequest, signal: AbortSignal): Source {
  const format = readRecordingFormat(audio)
  // A WAV file is also taken for LINEAR16, because many programs mean one by the other.
  if (pcmFormat && format !== 'WAV') {
    rejectLongPcm(audio, field, pcmFormat)
    return { format: pcmFormat, pieces: slices(audio) }
  }
  const problem = recordingProblem(audio)
  if (problem) throw new ServiceError('INVALID_ARGUMENT', `${field}: the audio ${problem}`)
  return {
    format: { sampleRateHertz: recogniserRateHertz, channels: 1 },
    pieces: decodedPieces(audio, format!, field, signal),
  }
}

function rejectLongPcm(audio: Uint8Array, field: string, format: PcmFormat): void {
  const { maxBytes, maxSeconds } = recordingLimits
  const seconds = audio.length / 2 / format.channels / format.sampleRateHertz
  if (audio.length > 0 && audio.length <= maxBytes && seconds <= maxSeconds) return
  const problem =
    audio.length === 0
      ? 'is empty'
      : `is larger than ${maxBytes} bytes or ${maxSeconds} s; split it`
  throw new ServiceError('INVALID_ARGUMENT', `${field}: the audio ${problem}`)
}

const sliceBytes = 1 << 16

function* slices(audio: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < audio.length; start += sliceBytes) {
    yield audio.subarray(start, start + sliceBytes)
  }
}

async function* decodedPieces(
  file: Uint8Array,
  format: RecordingFormat,
  field: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const decoding = { file, format, sampleRateHertz: recogniserRateHertz }
  for await (const { buffer, byteOffset, byteLength } of decodeRecording(decoding, field, signal)) {
    yield new Uint8Array(buffer, byteOffset, byteLength)
  }
}

function toSegment(
  { startMs, endMs, silenceMs }: EndedTurn,
  { text, words, ...facts }: RecognisedUtterance,
): Segment {
  const startSeconds = startMs / 1000
  const shifted = words?.map((word) => ({
    ...word,
    startSeconds: startSeconds + word.startSeconds,
    endSeconds: startSeconds + word.endSeconds,
  }))
  const endSeconds = Math.max(startMs, endMs - silenceMs) / 1000
  return { text, startSeconds, endSeconds, words: shifted, ...facts }
}
