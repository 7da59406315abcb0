import { wholeSamples } from '@parlando/core/audio'
import {
  type WakeWordConfig,
  type WakeWordMessage,
  type WakeWordModel,
  type WakeWordResult,
  wakeWordMessageSchema,
  wakeWordModelListSchema,
} from '@parlando/core/wire'
import { createTurnLimit } from '../../concurrency/event-loop-turns.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { readBase64 } from '../../requests/read-base64.ts'
import type { ClientSocket } from '../../server/sockets/client-socket.ts'
import type { WakeWordDetection } from '../../wake-words/wake-word-detector.ts'
import {
  findWakeWordModel,
  listWakeWordModels,
  toWords,
} from '../../wake-words/wake-word-registry.ts'
import { type ConfiguredStream, serveConfiguredStreams } from '../app/configured-streams.ts'
import { type ApiContext, type Endpoint, named, type SocketEndpoint } from '../app/endpoint.ts'

const defaultSilenceLimitSeconds = 10 * 60
const defaultSensitivity = 0.5

/** Finds wake words in the sound of a microphone. The sound is not kept, and no recogniser receives it. An extension. */
export const wakeWordStream: SocketEndpoint = {
  path: '/stt/v1/wakeWords:streamBidirectional',
  createServer: serveConfiguredStreams({
    schema: wakeWordMessageSchema,
    configField: 'wakeWordConfig',
    open: openStream,
  }),
}

/** An extension. */
export const wakeWordModels: Endpoint = {
  operation: {
    method: 'get',
    path: '/stt/v1/wakeWordModels',
    summary: 'Lists the models that find wake words, the preferred ones first',
    key: 'basic',
    responses: { 'application/json': named('WakeWordModelList', wakeWordModelListSchema) },
  },
  createHandler:
    ({ wakeWords = new Map() }) =>
    (context) => {
      const models = listWakeWordModels(wakeWords).map(({ model }): WakeWordModel => {
        const { langCodes, phrases, ...rest } = model
        return { ...rest, langCodes: [...langCodes], ...(phrases && { phrases: [...phrases] }) }
      })
      return context.json({ models })
    },
}

async function openStream(
  config: WakeWordConfig,
  { wakeWords = new Map(), isFirstToHear }: ApiContext,
  socket: ClientSocket,
): Promise<ConfiguredStream<WakeWordMessage>> {
  const { sensitivity = defaultSensitivity, inactivityTimeoutSeconds } = config
  const { detector, model, phrases } = findWakeWordModel(wakeWords, config)
  const { modelId, isRough } = model
  socket.limitSilence(1000 * (inactivityTimeoutSeconds ?? defaultSilenceLimitSeconds))
  const stream = await detector.open({ modelId, phrases, sensitivity, signal: socket.signal })
  const send = (result: WakeWordResult) => socket.send({ result })
  const report = async (detections: readonly WakeWordDetection[]): Promise<void> => {
    for (const { phrase, score, endMs: endTimeMs } of detections) {
      const isFirst = isFirstToHear(socket, toWords(phrase))
      await send({ detection: { phrase, score, endTimeMs, isFirst } })
    }
  }
  const whole = wholeSamples(2)
  const endLongTurn = createTurnLimit()
  await send({ waiting: { modelId, phrases: [...phrases], isRough } })
  return {
    async take({ audioChunk }) {
      const audio = readBase64(audioChunk?.content ?? '')
      if ('problem' in audio) {
        throw new ServiceError('INVALID_ARGUMENT', `audioChunk.content: ${audio.problem}`)
      }
      await endLongTurn()
      await report(await stream.push(toSamples(whole(audio.bytes))))
    },
    end: async () => report(await stream.end()),
    close: () => stream.close(),
  }
}

/** A copy, because the bytes may begin at an odd address. */
function toSamples({ buffer, byteOffset, byteLength }: Uint8Array): Int16Array {
  return new Int16Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
}
