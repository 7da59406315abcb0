import {
  defaultTranscriptionConfig,
  type TranscribeStreamConfig,
  type TranscribeStreamMessage,
  type TranscribeStreamResult,
  transcribeStreamMessageSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../errors/service-error.ts'
import { toServiceError } from '../errors/to-service-error.ts'
import {
  createTurnTranscriber,
  type EndedTurn,
  type TurnTranscriber,
} from '../listening/turn-transcriber.ts'
import { streamTurnRule } from '../listening/turns/turn-rule.ts'
import type { RecognisedUtterance } from '../recognisers/recogniser.ts'
import { findModel } from '../recognisers/recogniser-registry.ts'
import { camelCaseKeys } from '../requests/camel-case.ts'
import { parseRequest } from '../requests/parse-request.ts'
import { decodeBase64, parseBody } from '../requests/read-json.ts'
import type { ClientSocket } from '../server/client-socket.ts'
import { endWithError } from '../server/client-socket.ts'
import type { ApiContext, SocketEndpoint } from './endpoint.ts'

const defaultSilenceLimitSeconds = 10 * 60

/** Transcribes speech while it is spoken: messages with audio in, results out. */
export const transcriptionStream: SocketEndpoint = {
  path: '/stt/v1/transcribe:streamBidirectional',
  createServer: (service, handshake) => async (socket) => {
    let open: OpenStream | undefined
    try {
      for await (const bytes of socket.messages) {
        const message = await readMessage(handshake, bytes)
        if (message.closeStream) break
        if (message.transcribeConfig) {
          if (open) reject('transcribeConfig: only the first message may have one')
          open = await openStream(message.transcribeConfig, service, socket)
        } else if (!open) reject('The first message must have transcribeConfig')
        else await takeMessage(message, open)
      }
      if (open && !socket.signal.aborted) await finish(open, socket)
    } catch (error) {
      // A client that has fallen silent gets its transcript before the error.
      const isSilence = toServiceError(error).code === 'DEADLINE_EXCEEDED'
      if (open && isSilence) await finish(open, socket).catch(() => {})
      await endWithError(socket, error, service)
    } finally {
      open?.transcriber.close()
    }
  },
}

interface OpenStream {
  transcriber: TurnTranscriber
  modelId: string
  /** Sends the text of a turn. */
  report(turn: EndedTurn): Promise<void>
  /** Each request to end a turn gets one final result, also if nothing was said. */
  reportNothing(): Promise<void>
}

/** The names in a message may be in camelCase or snake_case. */
async function readMessage(handshake: Context, bytes: Buffer): Promise<TranscribeStreamMessage> {
  const json = await parseBody(bytes, 'The message')
  return parseRequest(handshake, transcribeStreamMessageSchema, camelCaseKeys(json))
}

async function openStream(
  config: TranscribeStreamConfig,
  service: ApiContext,
  socket: ClientSocket,
): Promise<OpenStream> {
  const { audioEncoding = 'LINEAR16', language, prompts, sentences } = config
  if (!['LINEAR16', 'AUTO_DETECT'].includes(audioEncoding)) {
    reject(`transcribeConfig.audioEncoding: a stream accepts LINEAR16 only, not ${audioEncoding}`)
  }
  const { recogniser, model } = findModel(service, config)
  const { inactivityTimeoutSeconds = defaultSilenceLimitSeconds } = config
  socket.limitSilence(inactivityTimeoutSeconds * 1000)
  const rule = streamTurnRule(config)
  const send = (result: TranscribeStreamResult) => socket.send({ result })
  const report = async (turn: EndedTurn): Promise<void> => {
    const { silenceMs } = turn
    if (rule.detectsSpeech) await send({ speechStopped: { silenceDurationMs: silenceMs } })
    await send(toFinalResult(turn, await turn.utterance))
  }
  const nothing = toFinalResult({ startMs: 0, silenceMs: 0 }, { text: '' })
  const transcriber = await createTurnTranscriber({
    recogniser,
    speechDetector: service.speechDetector,
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
  return { transcriber, modelId: model.modelId, report, reportNothing: () => send(nothing) }
}

async function takeMessage(
  { audioChunk }: TranscribeStreamMessage,
  { transcriber, report, reportNothing }: OpenStream,
): Promise<void> {
  if (!audioChunk) {
    const turn = transcriber.endTurn()
    return turn ? report(turn) : reportNothing()
  }
  const audio = decodeBase64(audioChunk.content)
  if ('problem' in audio) reject(`audioChunk.content: ${audio.problem}`)
  await transcriber.write(audio.bytes)
}

function toFinalResult(
  { startMs, silenceMs }: Pick<EndedTurn, 'startMs' | 'silenceMs'>,
  { text, confidence, words, sentenceMatch }: RecognisedUtterance,
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
      wordTimestamps,
      sentenceMatch: sentenceMatch && { ...sentenceMatch, nearest: [...sentenceMatch.nearest] },
    },
  }
}

/** Sends the remaining results, the usage last. */
async function finish({ transcriber, modelId }: OpenStream, socket: ClientSocket): Promise<void> {
  await transcriber.end()
  const usage = { transcribedAudioMs: transcriber.durationMs, modelId }
  await socket.send({ result: { usage } })
}

function reject(message: string): never {
  throw new ServiceError('INVALID_ARGUMENT', message)
}
