import { createClient } from '@parlando/core'
import { speechServiceOf } from '@parlando/test-support/node-red/speech-service-of'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/servers/socket-server'
import { receivedAudio } from '@parlando/test-support/servers/transcription-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bytesPerSecond } from '../microphone-recording.ts'
import { createWakeWordListener } from './wake-word-listener.ts'

const waiting = { result: { waiting: { modelId: 'm', phrases: ['hey house'] } } }
const detection = (phrase: string, endTimeMs: number) => ({
  result: { detection: { phrase, endTimeMs } },
})
/** A second whose samples say where they are, in hundredths of a second. */
const sound = Buffer.from(
  Int16Array.from({ length: bytesPerSecond / 2 }, (_, index) => Math.floor(index / 160)).buffer,
)

async function listen(handlers: SocketServerHandlers) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
  const events = { phrases: [] as unknown[], wakes: [] as Buffer[], problems: [] as string[] }
  const listener = createWakeWordListener({
    service: speechServiceOf(client),
    config: { phrases: ['hey house'], sensitivity: 0.5 },
    onWaiting: (phrases) => events.phrases.push(phrases),
    onWake: (since) => events.wakes.push(since),
    onProblem: (error) => events.problems.push((error as Error).message),
    retryMs: 20,
  })
  onTestFinished(async () => {
    await listener.close()
    await client.close()
  })
  return { server, listener, events }
}

it('sends the sound, and returns what was said after the wake word', async () => {
  let socket: ServerSocket | undefined
  const { listener, events } = await listen({
    onMessage(from, message) {
      socket = from
      if (message['wakeWordConfig']) from.send(waiting)
    },
  })
  await vi.waitFor(() => expect(events.phrases).toEqual([['hey house']]))
  for (let at = 0; at < sound.length; at += 640) listener.push(sound.subarray(at, at + 640))
  await vi.waitFor(() => expect(receivedAudio(socket!)).toEqual(sound))
  socket!.send(detection('hey house', 600))
  socket!.send(detection('hey house', 1000))
  socket!.send(detection('hey house', 0))
  await vi.waitFor(() => expect(events.wakes).toHaveLength(3))
  expect(events.wakes.map(({ length }) => length / bytesPerSecond)).toEqual([0.4, 0, 1])
  expect(events.wakes[0]!.readInt16LE(0)).toBe(60)
})

it('leaves a wake word to the microphone that has heard it first', async () => {
  const { server, events } = await listen({
    onMessage: (socket, message) => message['wakeWordConfig'] && socket.send(waiting),
  })
  await vi.waitFor(() => expect(events.phrases).toHaveLength(1))
  for (const isFirst of [false, true, false]) {
    server.sockets[0]!.send({
      result: { detection: { phrase: 'hey house', endTimeMs: 0, isFirst } },
    })
  }
  // Events keep their order.
  server.sockets[0]!.send(waiting)
  await vi.waitFor(() => expect(events.phrases).toHaveLength(2))
  expect(events.wakes).toHaveLength(1)
})

it('keeps two seconds of the sound', async () => {
  let socket: ServerSocket | undefined
  const { listener, events } = await listen({
    onMessage(from, message) {
      socket = from
      if (message['wakeWordConfig']) from.send(waiting)
    },
  })
  await vi.waitFor(() => expect(events.phrases).toHaveLength(1))
  for (let second = 0; second < 4; second++) {
    for (let at = 0; at < sound.length; at += 640) listener.push(sound.subarray(at, at + 640))
  }
  socket!.send(detection('hey house', 0))
  await vi.waitFor(() => expect(events.wakes).toHaveLength(1))
  expect(events.wakes[0]!.length / bytesPerSecond).toBeCloseTo(2, 1)
})

it('drops the sound while the service does not wait, and connects again', async () => {
  let attempts = 0
  const { server, listener, events } = await listen({
    onMessage(socket, message) {
      if (!message['wakeWordConfig']) return
      attempts++
      if (attempts > 1) return socket.send(waiting)
      socket.send({ error: { code: 14, message: 'not now' } })
    },
  })
  listener.push(sound)
  await vi.waitFor(() => expect(events.problems).toHaveLength(1))
  expect(events.problems[0]).toMatch(/: not now\./)
  listener.push(sound)
  await vi.waitFor(() => expect(events.phrases).toHaveLength(1))
  expect(server.sockets.flatMap((socket) => [...receivedAudio(socket)])).toEqual([])
  server.sockets.at(-1)!.webSocket.terminate()
  await vi.waitFor(() => expect(events.phrases).toHaveLength(2))
})

it('closes its connection', async () => {
  const { server, listener, events } = await listen({
    onMessage: (socket, message) => message['wakeWordConfig'] && socket.send(waiting),
  })
  await vi.waitFor(() => expect(events.phrases).toHaveLength(1))
  await listener.close()
  await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  expect(events.problems).toEqual([])
})
