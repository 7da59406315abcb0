import {
  defaultTranscriptionConfig,
  type TranscribeStreamConfig,
  type TranscribeStreamMessage,
  type TranscribeStreamResult,
  transcribeStreamMessageSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../errors.ts'
import { findRequestedModel } from '../listening/find-requested-model.ts'
import { createLiveSession, type LiveResult, type LiveSession } from '../listening/live-session.ts'
import { streamTurnRule } from '../listening/turns/turn-rule.ts'
import { camelCaseKeys } from '../requests/camel-case.ts'
import { parseRequest } from '../requests/parse-request.ts'
import { decodeBase64, parseBody } from '../requests/read-json.ts'
import type { ClientSocket } from '../server/client-socket.ts'
import { endWithError } from '../server/end-with-error.ts'
import { toServiceError } from '../to-service-error.ts'
import type { ApiContext, SocketEndpoint } from './endpoint.ts'

const defaultSilenceLimitSeconds = 10 * 60

/** Transcribes speech while it is spoken: messages with audio in, results out. */
export const transcriptionStream: SocketEndpoint = {
  path: '/stt/v1/transcribe:streamBidirectional',
  createServer: (service, handshake) => async (socket) => {
    let transcriber: Transcriber | undefined
    try {
      for await (const bytes of socket.messages) {
        const message = await readMessage(handshake, bytes)
        if (message.closeStream) break
        if (message.transcribeConfig) {
          if (transcriber) reject('transcribeConfig: only the first message may have one')
          transcriber = await openTranscriber(message.transcribeConfig, service, socket)
        } else if (!transcriber) reject('The first message must have transcribeConfig')
        else await takeMessage(message, transcriber.session)
      }
      if (transcriber && !socket.signal.aborted) await finish(transcriber, socket)
    } catch (error) {
      // A client that has fallen silent gets its transcript before the error.
      const isSilence = toServiceError(error).code === 'DEADLINE_EXCEEDED'
      if (transcriber && isSilence) await finish(transcriber, socket).catch(() => {})
      await endWithError(socket, error, service)
    } finally {
      transcriber?.session.close()
    }
  },
}

interface Transcriber {
  session: LiveSession
  modelId: string
}

/** The names in a message may be in camelCase or snake_case. */
async function readMessage(handshake: Context, bytes: Buffer): Promise<TranscribeStreamMessage> {
  const json = await parseBody(bytes, 'The message')
  return parseRequest(handshake, transcribeStreamMessageSchema, camelCaseKeys(json))
}

async function openTranscriber(
  config: TranscribeStreamConfig,
  service: ApiContext,
  socket: ClientSocket,
): Promise<Transcriber> {
  const { audioEncoding = 'LINEAR16', language, prompts, sentences } = config
  if (!['LINEAR16', 'AUTO_DETECT'].includes(audioEncoding)) {
    reject(`transcribeConfig.audioEncoding: a stream accepts LINEAR16 only, not ${audioEncoding}`)
  }
  const { recogniser, model } = findRequestedModel(service, config)
  const { inactivityTimeoutSeconds = defaultSilenceLimitSeconds } = config
  socket.limitSilence(inactivityTimeoutSeconds * 1000)
  const session = await createLiveSession({
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
    rule: streamTurnRule(config),
    sampleRateHertz: config.sampleRateHertz ?? defaultTranscriptionConfig.sampleRateHertz,
    channels: config.numberOfChannels ?? defaultTranscriptionConfig.numberOfChannels,
    async onResult(result) {
      // A later interim result replaces this one.
      if (result.type === 'interim' && socket.isSlow) return
      await socket.send({ result: toWire(result) })
    },
  })
  return { session, modelId: model.modelId }
}

async function takeMessage(
  { audioChunk }: TranscribeStreamMessage,
  session: LiveSession,
): Promise<void> {
  if (!audioChunk) return session.endTurn()
  const audio = decodeBase64(audioChunk.content)
  if ('problem' in audio) reject(`audioChunk.content: ${audio.problem}`)
  await session.write(audio.bytes)
}

function toWire(result: LiveResult): TranscribeStreamResult {
  switch (result.type) {
    case 'speechStarted':
      return { speechStarted: { startTimeMs: result.startMs } }
    case 'interim':
      return { transcription: { transcript: result.text, isFinal: false } }
    case 'speechStopped':
      return { speechStopped: { silenceDurationMs: result.silenceMs } }
    case 'final': {
      const { startMs, silenceMs, utterance } = result
      const { text, confidence, words, sentenceMatch } = utterance
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
  }
}

/** Sends the remaining results, the usage last. */
async function finish({ session, modelId }: Transcriber, socket: ClientSocket): Promise<void> {
  await session.end()
  const usage = { transcribedAudioMs: session.durationMs, modelId }
  await socket.send({ result: { usage } })
}

function reject(message: string): never {
  throw new ServiceError('INVALID_ARGUMENT', message)
}
