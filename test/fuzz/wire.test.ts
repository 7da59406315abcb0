import type { AudioEncoding, ChatDelta, Client, SpeechStream } from '@parlando/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnsweringServer, type GivenAnswer, startAnsweringServer } from './answering-server.ts'
import { pieces, untouchedParts } from './bytes.ts'
import { createLaneClient, type Failure, readFailure } from './calls.ts'
import { fuzz, heldMebibytes } from './cases.ts'
import { writtenAnswer } from './chat-events.ts'
import { jsonAnswer } from './json-answers.ts'
import { spokenAnswer } from './speech-lines.ts'

const lanes = 6
let server: AnsweringServer
let clients: Client[]
let before: number
beforeAll(async () => {
  server = await startAnsweringServer()
  clients = Array.from({ length: lanes }, (_, lane) => createLaneClient(server, lane))
  before = heldMebibytes()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  server.close()
})

const ways = {
  async consume(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
    await stream.consume(({ audio }) => onAudio(audio))
  },
  async loop(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
    for await (const { audio } of stream) onAudio(audio)
  },
  async read(stream: SpeechStream, onAudio: (audio: Uint8Array) => void) {
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

async function hear(lane: number, request: SpeechRequest, how: keyof typeof ways) {
  const { text, audioEncoding } = request
  const stream = clients[lane]!.synthesizeStream({
    text,
    voiceId: 'Clara',
    modelId: 'svc-tts-2',
    audioConfig: { audioEncoding },
  })
  const heard: Uint8Array[] = []
  const failure = await failureOf(ways[how](stream, (audio) => heard.push(audio)))
  const { sampleRateHertz, usage } = stream
  return { audio: Buffer.concat(heard), failure, sampleRateHertz, usage }
}

async function read(lane: number) {
  const messages = [{ role: 'user' as const, content: 'Hi.' }]
  const stream = clients[lane]!.chatStream({ model: 'auto', messages })
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

describe('an answer with any bytes in it', () => {
  it('is speech up to the damage, and goes on or fails in the client’s own way, however it is cut', async () => {
    const given = fc.record({
      answer: spokenAnswer,
      audioEncoding: fc.constantFrom<AudioEncoding>('PCM', 'LINEAR16', 'WAV', 'MP3', 'MULAW'),
      text: fc.oneof(
        { weight: 9, arbitrary: fc.constant('Hi.') },
        { weight: 1, arbitrary: fc.constant('Hi. '.repeat(40)) },
      ),
      ways: fc.tuple(way, way),
    })
    await fuzz(
      given,
      async ({ answer, ways: [oneWay, otherWay], ...request }, lane) => {
        const { bytes, lines, sounds } = answer
        server.answers.set(lane, { pieces: pieces(bytes) })
        const whole = await hear(lane, request, oneWay)
        server.answers.set(lane, { pieces: pieces(bytes, answer.cuts) })
        expect(await hear(lane, request, otherWay)).toEqual(whole)
        if (request.audioEncoding !== 'MULAW') return
        const untouched = Buffer.concat(sounds.slice(0, untouchedParts(bytes, lines)))
        expect(whole.audio.subarray(0, untouched.length)).toEqual(untouched)
      },
      { lanes },
    )
  })

  it('is a chat up to the damage, and goes on or fails in the client’s own way, however it is cut', async () => {
    await fuzz(
      writtenAnswer,
      async ({ bytes, events, contents, cuts }, lane) => {
        server.answers.set(lane, { pieces: pieces(bytes) })
        const whole = await read(lane)
        server.answers.set(lane, { pieces: pieces(bytes, cuts) })
        expect(await read(lane)).toEqual(whole)
        const untouched = contents.slice(0, untouchedParts(bytes, events)).join('')
        expect(whole.content.slice(0, untouched.length)).toBe(untouched)
      },
      { lanes },
    )
  })

  it('is JSON of the right shape, or fails in the client’s own way, however it is cut', async () => {
    await fuzz(
      jsonAnswer,
      async ({ call, whole, cut }, lane) => {
        const ask = (answer: GivenAnswer) => {
          server.answers.set(lane, answer)
          return call(clients[lane]!).then(withoutRequestId, readFailure)
        }
        expect(await ask(cut)).toEqual(await ask(whole))
      },
      { lanes, share: 0.1 },
    )
  })

  it('gives what came before the connection was lost, and fails', async () => {
    await fuzz(
      spokenAnswer,
      async ({ bytes, cuts }, lane) => {
        const request = { text: 'Hi.', audioEncoding: 'PCM' } as const
        server.answers.set(lane, { pieces: pieces(bytes) })
        const whole = await hear(lane, request, 'loop')
        server.answers.set(lane, { pieces: pieces(bytes, cuts), isLost: true })
        const { audio, failure } = await hear(lane, request, 'consume')
        expect(failure).toBeDefined()
        expect(audio).toEqual(whole.audio.subarray(0, audio.length))
      },
      // Each takes a connection of its own.
      { lanes, share: 0.02 },
    )
  })

  it('leaves nothing in memory', () => {
    expect(heldMebibytes() - before).toBeLessThan(32)
  })
})

/** Every call has an id of its own. */
function withoutRequestId(answer: unknown): unknown {
  return typeof answer === 'object' ? { ...answer, requestId: undefined } : answer
}
