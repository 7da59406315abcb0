import { isDeepStrictEqual } from 'node:util'
import {
  type AudioEncoding,
  type ChatDelta,
  type Client,
  createClient,
  type SpeechStream,
} from '@parlando/core'
import { startsWithRiff } from '@parlando/core/audio'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzz } from '../cases.ts'
import { clientOptions, type Failure, readFailure } from '../checks/client-errors.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { pieces, untouchedParts } from '../inputs/bytes.ts'
import { chatResponse } from '../inputs/chat-events.ts'
import { bareResponse, jsonResponse } from '../inputs/json-responses.ts'
import { speechResponse } from '../inputs/speech-lines.ts'
import { createDirectClient, type StreamingClient } from '../setups/direct-client.ts'
import {
  type ScriptedResponse,
  type ScriptedServer,
  startScriptedServer,
} from '../setups/scripted-server.ts'

interface Lane {
  /** The responses, over HTTP and directly. */
  response: ScriptedResponse
  client: Client
  direct: StreamingClient
}

let server: ScriptedServer
let lanes: Lane[]
let before: number
beforeAll(async () => {
  server = await startScriptedServer((lane) => lanes[lane]!.response)
  lanes = Array.from({ length: 6 }, (_, index) => {
    const options = clientOptions(server.baseUrl(index))
    const lane: Lane = {
      response: { pieces: [] },
      client: createClient(options),
      direct: createDirectClient(options, () => lane.response.pieces),
    }
    return lane
  })
  before = await heldMebibytes()
})
afterAll(async () => {
  await Promise.all(lanes.map(({ client }) => client.close()))
  server.close()
})

const ways = {
  async consume(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
    await stream.consume(({ audio }) => onAudio(audio))
  },
  async loop(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
    for await (const { audio } of stream) onAudio(audio)
  },
  async readChat(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
    const reader = stream.toReadableStream().getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onAudio(piece.value)
    }
  },
}
const way = fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[]))

interface SpeechRequest {
  text: string
  audioEncoding: AudioEncoding
}

async function readSpeech(client: StreamingClient, request: SpeechRequest, how: keyof typeof ways) {
  const { text, audioEncoding } = request
  const stream = client.synthesizeStream({
    text,
    voiceId: 'Clara',
    modelId: 'svc-tts-2',
    audioConfig: { audioEncoding },
  })
  const chunks: Uint8Array[] = []
  const failure = await failureOf(ways[how](stream, (audio) => chunks.push(audio)))
  const { sampleRateHertz } = stream
  // The client requests the next piece of a long text ahead: its usage at the time of a failure is random.
  const usage = failure ? undefined : stream.usage
  return { audio: Buffer.concat(chunks), failure, sampleRateHertz, usage }
}

async function readChat(client: StreamingClient) {
  const messages = [{ role: 'user' as const, content: 'Hi.' }]
  const stream = client.chatStream({ model: 'auto', messages })
  const deltas: ChatDelta[] = []
  const reading = async () => {
    for await (const delta of stream) deltas.push(delta)
  }
  const failure = await failureOf(reading())
  const { content, reasoning, toolCalls, finishReason, usage, model } = stream
  return { deltas, failure, content, reasoning, toolCalls, finishReason, usage, model }
}

function failureOf(work: Promise<void>): Promise<Failure | undefined> {
  return work.then(() => undefined, readFailure)
}

/** PCM has no header, and its samples are never split. */
function expectToBeginWith(audio: Buffer, sounds: Buffer[], encoding: AudioEncoding): void {
  const isPcm = encoding === 'PCM'
  if (isPcm) expect(audio.length % 2).toBe(0)
  if (isPcm ? sounds.some(startsWithRiff) : encoding !== 'MULAW') return
  const all = Buffer.concat(sounds)
  const expected = isPcm ? all.subarray(0, all.length - (all.length % 2)) : all
  expectSame(audio.subarray(0, expected.length), expected)
}

/** `isDeepStrictEqual` takes a tenth of the time of `toEqual`. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

/** One case in fifty uses a connection; the others go directly to the same client. */
const isOverHttp = fc.nat(49).map((number) => number === 49)

describe('a response with any bytes', () => {
  it('is speech up to the damage, then more speech or a client error, however it is cut into pieces', async () => {
    const given = fc.record({
      response: speechResponse,
      audioEncoding: fc.constantFrom<AudioEncoding>('PCM', 'LINEAR16', 'WAV', 'MP3', 'MULAW'),
      text: fc.constantFrom('Hi.', 'Hi.', 'Hi.', 'Hi. '.repeat(40)),
      ways: fc.tuple(way, way),
      isOverHttp,
    })
    await fuzz(
      given,
      async ({ response, ways: [oneWay, otherWay], isOverHttp, ...request }, index) => {
        const lane = lanes[index]!
        const { bytes, lines, sounds } = response
        lane.response = { pieces: pieces(bytes) }
        const whole = await readSpeech(lane.direct, request, oneWay)
        lane.response = { pieces: pieces(bytes, response.cuts) }
        const cut = await readSpeech(isOverHttp ? lane.client : lane.direct, request, otherWay)
        expectSame(cut, whole)
        const untouched = sounds.slice(0, untouchedParts(bytes, lines))
        expectToBeginWith(whole.audio, untouched, request.audioEncoding)
      },
      { lanes: lanes.length, share: 0.6 },
    )
  })

  it('is a chat up to the damage, then more text or a client error, however it is cut into pieces', async () => {
    const given = fc.record({ response: chatResponse, isOverHttp })
    await fuzz(
      given,
      async ({ response, isOverHttp }, index) => {
        const lane = lanes[index]!
        const { bytes, events, contents, cuts } = response
        lane.response = { pieces: pieces(bytes) }
        const whole = await readChat(lane.direct)
        lane.response = { pieces: pieces(bytes, cuts) }
        expectSame(await readChat(isOverHttp ? lane.client : lane.direct), whole)
        const untouched = contents.slice(0, untouchedParts(bytes, events)).join('')
        expect(whole.content.slice(0, untouched.length)).toBe(untouched)
      },
      { lanes: lanes.length, share: 0.4 },
    )
  })

  it('is valid JSON or a client error, however it is cut into pieces', async () => {
    await fuzz(
      jsonResponse,
      async ({ call, whole, cut }, index) => {
        const lane = lanes[index]!
        const ask = (response: ScriptedResponse) => {
          lane.response = response
          return call(lane.client).then(withoutRequestId, readFailure)
        }
        expectSame(await ask(cut), await ask(whole))
      },
      { lanes: lanes.length, share: 0.1 },
    )
  })

  it('delivers the data before a lost connection, then fails', async () => {
    await fuzz(
      speechResponse,
      async ({ bytes, cuts }, index) => {
        const lane = lanes[index]!
        const request = { text: 'Hi.', audioEncoding: 'PCM' } as const
        lane.response = { pieces: pieces(bytes) }
        const whole = await readSpeech(lane.direct, request, 'loop')
        lane.response = { pieces: pieces(bytes, cuts), isLost: true }
        const { audio, failure } = await readSpeech(lane.client, request, 'consume')
        expect(failure).toBeDefined()
        expectSame(audio, whole.audio.subarray(0, audio.length))
      },
      { lanes: lanes.length, share: 0.02 },
    )
  })

  it('is a client error if it is not HTTP', async () => {
    await fuzz(
      bareResponse,
      async (bytes, index) => {
        const lane = lanes[index]!
        lane.response = { pieces: pieces(bytes), isBare: true }
        await lane.client.listVoices().catch(readFailure)
      },
      { lanes: lanes.length, share: 0.02 },
    )
  })

  it('is released from memory', async () => {
    expect((await heldMebibytes()) - before).toBeLessThan(32)
  })
})

/** Every request has its own id. */
function withoutRequestId(response: unknown): unknown {
  return typeof response === 'object' ? { ...response, requestId: undefined } : response
}
