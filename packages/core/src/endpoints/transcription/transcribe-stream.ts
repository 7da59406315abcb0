import type { z } from 'zod'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { strictObject } from '../../wire/object-schema.ts'
import { transcribeStreamConfigSchema } from '../../wire/transcription.ts'
import { type AudioStream, openAudioStream } from '../audio-stream.ts'
import type { EndpointContext } from '../response-source.ts'
import { type TranscriptionSettings, transcriptionSettings } from './transcript.ts'
import { readEvents, type TranscriptionEvent } from './transcription-event.ts'

const { sampleRateHertz, inactivityTimeoutSeconds, ...turnSettings } =
  transcribeStreamConfigSchema.shape

/** How to transcribe a stream. */
export interface TranscriptionStreamConfig extends TranscriptionSettings {
  /** The rate of the audio, 8,000 to 48,000. Default 16000. */
  sampleRateHertz?: number
  /** When a turn of the speaker ends. Default: the service decides. */
  endOfTurn?: {
    /** The silence that always ends a turn, in milliseconds, 20 to 5,000. */
    silenceMs?: number
    /** The silence that ends a turn when the service is sure that the speaker has finished, in milliseconds, 20 to 5,000. */
    confidentSilenceMs?: number
    /** How certain voice activity detection must be, 0 to 1. 0: only `endTurn` ends a turn. */
    vadThreshold?: number
  }
  /** The service ends the stream after this time without audio. Default: the limit of the service. */
  inactivityTimeoutSeconds?: number
}

const streamConfigSchema = strictObject({
  ...transcriptionSettings,
  sampleRateHertz,
  endOfTurn: strictObject({
    silenceMs: turnSettings.maxTurnSilence,
    confidentSilenceMs: turnSettings.minEndOfTurnSilenceWhenConfident,
    vadThreshold: turnSettings.vadThreshold,
  }).optional(),
  inactivityTimeoutSeconds,
}) satisfies z.ZodType<unknown, TranscriptionStreamConfig>

/** Speech while it is transcribed. */
export interface TranscriptionStream extends AudioStream<TranscriptionEvent> {
  /** Ends the turn: the service sends the final transcript and does not wait for silence. */
  endTurn(): void
}

/** Opens the socket `/stt/v1/transcribe:streamBidirectional`. @throws {InputError} at once if the config is not valid. */
export function transcribeStream(
  { transport }: EndpointContext,
  config: TranscriptionStreamConfig | undefined,
  call: Call,
): TranscriptionStream {
  const settings = parseInput(streamConfigSchema, config ?? {}, 'Transcription config')
  return openAudioStream({
    transport,
    call,
    path: '/stt/v1/transcribe:streamBidirectional',
    config: { transcribeConfig: toConfig(settings) },
    readEvents,
    isLast: ({ type }) => type === 'usage',
    what: 'transcription',
  })
}

function toConfig(settings: z.output<typeof streamConfigSchema>) {
  const { wordTimestamps, endOfTurn, sampleRateHertz = 16_000, ...shared } = settings
  return {
    ...shared,
    audioEncoding: 'LINEAR16',
    sampleRateHertz,
    numberOfChannels: 1,
    includeWordTimestamps: wordTimestamps,
    maxTurnSilence: endOfTurn?.silenceMs,
    minEndOfTurnSilenceWhenConfident: endOfTurn?.confidentSilenceMs,
    vadThreshold: endOfTurn?.vadThreshold,
  }
}
