import type {
  AudioConfig,
  AudioFormat,
  SpeechRequest,
  SpeechStream,
  SpeechUsage,
} from '@parlando/core'
import { createDurationMeter } from '@parlando/core/audio'

/** Facts about speech, sent in `msg.audio`. `bytes` and `durationSeconds` count the audio received so far. */
export interface AudioStats {
  encoding: string
  mediaType: string
  sampleRateHertz: number
  channels: 1
  bytes: number
  /** Absent where it cannot be derived from the bytes. */
  durationSeconds?: number
  voiceId: string
  modelId: string
  /** As counted by the service; until it reports a number, the length of the text. */
  characters: number
  firstAudioMs?: number
  usage?: SpeechUsage
}

/** A request that names everything the facts mention. */
export type SpokenRequest = SpeechRequest & { modelId: string; audioConfig: AudioConfig }

export interface AudioStatsCollector {
  /** Counts a chunk. @returns the facts up to and including this chunk. */
  add(chunk: Uint8Array): AudioStats
  total(): AudioStats
}

/** Collects the facts about the audio of one stream while it arrives. */
export function collectAudioStats(
  stream: AudioFormat & Pick<SpeechStream, 'usage' | 'firstAudioMs'>,
  request: SpokenRequest,
): AudioStatsCollector {
  let bytes = 0
  // Not stream.durationSeconds: that also counts chunks that are received but not read yet.
  let meter: ReturnType<typeof createDurationMeter> | undefined
  const total = (): AudioStats => ({
    encoding: stream.encoding,
    mediaType: stream.mediaType,
    sampleRateHertz: stream.sampleRateHertz,
    channels: 1,
    bytes,
    durationSeconds: round(meter?.seconds, 3),
    voiceId: request.voiceId,
    modelId: request.modelId,
    characters: stream.usage?.processedCharactersCount ?? request.text.length,
    firstAudioMs: round(stream.firstAudioMs, 1),
    usage: stream.usage,
  })
  return {
    add(chunk) {
      meter ??= createDurationMeter(stream.encoding, stream.sampleRateHertz)
      meter.push(chunk)
      bytes += chunk.length
      return total()
    },
    total,
  }
}

function round(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits))
}
