import {
  defaultTranscriptionConfig,
  type TranscribeStreamConfig,
  type TranscribeStreamMessage,
  type TranscribeStreamResult,
  transcribeStreamMessageSchema,
} from '@parlando/core/wire'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { createTurnTranscriber, type EndedTurn } from '../../listening/turn-transcriber.ts'
import { streamTurnRule } from '../../listening/turns/turn-rule.ts'
import type { RecognisedUtterance } from '../../recognisers/recogniser.ts'
import { findRecogniserModel } from '../../recognisers/recogniser-registry.ts'
import { readBase64 } from '../../requests/read-base64.ts'
import type { ClientSocket } from '../../server/sockets/client-socket.ts'
import { type ConfiguredStream, serveConfiguredStreams } from '../app/configured-streams.ts'
import type { ApiContext, SocketEndpoint } from '../app/endpoint.ts'

const defaultSilenceLimitSeconds = 10 * 60

/** Transcribes speech while it is spoken: messages with audio in, results out. */
export const transcriptionStream: SocketEndpoint = {
  path: '/stt/v1/transcribe:streamBidirectional',
  createServer: serveConfiguredStreams({
    schema: z.preprocess(liftTurnSettings, transcribeStreamMessageSchema),
    configField: 'transcribeConfig',
    open: openStream,
    endsAfterSilence: true,
  }),
}

const turnSettings = ['vadThreshold', 'minEndOfTurnSilenceWhenConfident', 'maxTurnSilence'] as const

/** LiveKit and pipecat put these settings into an object of the recogniser that they know, such as `vendorSttV1Config`. */
function liftTurnSettings(message: unknown): unknown {
  const config: Record<string, unknown> = Object(Object(message).transcribeConfig)
  for (const [name, value] of Object.entries(config)) {
    if (!name.endsWith('SttV1Config')) continue
    for (const setting of turnSettings) {
      const given = Object(value)[setting]
      if (given !== undefined) config[setting] ??= given
    }
  }
  return message
}

async function openStream(
  config: TranscribeStreamConfig,
  service: ApiContext,
  socket: ClientSocket,
): Promise<ConfiguredStream<TranscribeStreamMessage>> {
  rejectOtherEncodings(config)
  const { language, prompts, sentences } = config
  const { recogniser, model } = findRecogniserModel(service, config)
  const { inactivityTimeoutSeconds = defaultSilenceLimitSeconds } = config
  socket.limitSilence(inactivityTimeoutSeconds * 1000)
  const rule = streamTurnRule(config)
  const send = (result: TranscribeStreamResult) => socket.send({ result })
  const report = async (turn: EndedTurn): Promise<void> => {
    const { silenceMs } = turn
    if (rule.detectsSpeech) await send({ speechStopped: { silenceDurationMs: silenceMs } })
    await send(toFinalResult(turn, await turn.utterance))
  }
  const transcriber = await createTurnTranscriber({
    recogniser,
    speechDetector: service.speechDetector,
    endOfTurnModel: service.endOfTurnModel,
    request: {
      modelId: model.modelId,
      language,
      prompts,
      sentences,
      withWords: config.includeWordTimestamps ?? false,
      signal: socket.signal,
    },
    rule,
    sampleRateHertz: config.sampleRateHertz ?? defaultTranscriptionConfig.sampleRateHertz,
    channels: config.numberOfChannels ?? defaultTranscriptionConfig.numberOfChannels,
    async onStart({ startMs: startTimeMs }) {
      if (rule.detectsSpeech) await send({ speechStarted: { startTimeMs } })
    },
    onInterim(transcript) {
      void send({ transcription: { transcript, isFinal: false } })
    },
    onEnd: report,
  })
  const endTurn = (): Promise<void> => {
    const turn = transcriber.endTurn()
    // Each request to end a turn gets one final result, also if nothing was said.
    return turn ? report(turn) : send(toFinalResult({ startMs: 0, silenceMs: 0 }, { text: '' }))
  }
  return {
    async take({ audioChunk }) {
      if (!audioChunk) return endTurn()
      const audio = readBase64(audioChunk.content)
      if ('problem' in audio) reject(`audioChunk.content: ${audio.problem}`)
      await transcriber.write(audio.bytes)
    },
    async end() {
      await transcriber.end()
      await send({ usage: { transcribedAudioMs: transcriber.durationMs, modelId: model.modelId } })
    },
    close: () => transcriber.close(),
  }
}

function rejectOtherEncodings({ audioEncoding = 'LINEAR16' }: TranscribeStreamConfig): void {
  if (['LINEAR16', 'AUTO_DETECT'].includes(audioEncoding)) return
  reject(`transcribeConfig.audioEncoding: a stream accepts LINEAR16 only, not ${audioEncoding}`)
}

function toFinalResult(
  { startMs, silenceMs }: Pick<EndedTurn, 'startMs' | 'silenceMs'>,
  { text, confidence, language, words, sentenceMatch }: RecognisedUtterance,
): TranscribeStreamResult {
  const wordTimestamps = words?.map(({ text: word, startSeconds, endSeconds, ...rest }) => ({
    word,
    startTimeMs: startMs + Math.round(startSeconds * 1000),
    endTimeMs: startMs + Math.round(endSeconds * 1000),
    ...rest,
  }))
  return {
    transcription: {
      transcript: text,
      isFinal: true,
      silenceDurationMs: silenceMs,
      confidence,
      language,
      wordTimestamps,
      sentenceMatch: sentenceMatch && { ...sentenceMatch, nearest: [...sentenceMatch.nearest] },
    },
  }
}

function reject(message: string): never {
  throw new ServiceError('INVALID_ARGUMENT', message)
}
