import type { AudioFormat, SpeechChunk, SpeechUsage, TimedWord } from '@parlando/core'
import { createDurationMeter } from '@parlando/core/audio'
import { writeWebVtt } from '../../captions/subtitles.ts'
import type { CompleteSpeechRequest } from '../../runtime/speech/speech-request.ts'
import type { Speech } from '../../runtime/speech-service.ts'

/** Facts about speech, sent in `msg.audio`. `bytes` and `durationSeconds` count the audio received so far. */
export interface AudioStats extends AudioFormat {
  channels: 1
  bytes: number
  /** Absent where it cannot be derived from the bytes. */
  durationSeconds?: number
  voiceId: string
  modelId: string
  /** The characters as the service counted them; until it reports a number, the length of the text. */
  characters: number
  firstAudioMs?: number
  usage?: SpeechUsage
}

export interface FactsOptions {
  stream: Speech
  request: CompleteSpeechRequest
  /** Whether the final message has captions. */
  hasCaptions: boolean
}

/** Collects the facts about the audio of a stream while it arrives. */
export function collectFacts({ stream, request, hasCaptions }: FactsOptions) {
  const words: TimedWord[] = []
  let bytes = 0
  // Not stream.durationSeconds: that also counts chunks that are received but not read yet.
  let meter: ReturnType<typeof createDurationMeter> | undefined
  const audio = (): AudioStats => ({
    encoding: stream.encoding,
    mediaType: stream.mediaType,
    sampleRateHertz: stream.sampleRateHertz,
    channels: 1,
    bytes,
    durationSeconds: rounded(meter?.seconds, 3),
    voiceId: request.voiceId,
    modelId: request.modelId,
    characters: stream.usage?.processedCharactersCount ?? request.text.length,
    firstAudioMs: rounded(stream.firstAudioMs, 1),
    usage: stream.usage,
  })
  return {
    audio,
    words: () => (words.length > 0 ? words : undefined),
    captions: () => (hasCaptions && words.length > 0 ? writeWebVtt(words) : undefined),
    /** Counts a chunk. @returns the facts up to and including this chunk. */
    add(chunk: SpeechChunk): AudioStats {
      for (const word of chunk.timestamps?.words ?? []) words.push(word)
      meter ??= createDurationMeter(stream.encoding, stream.sampleRateHertz)
      meter.push(chunk.audio)
      bytes += chunk.audio.length
      return audio()
    },
  }
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits))
}
