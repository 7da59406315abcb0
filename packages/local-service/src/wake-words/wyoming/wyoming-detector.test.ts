import { abortWhenConnected } from '@parlando/test-support/local-service/wyoming/abort-when-connected'
import {
  artifact,
  startWyomingServer,
} from '@parlando/test-support/local-service/wyoming/wyoming-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { WakeWordRequest } from '../wake-word-detector.ts'
import { createWyomingDetector } from './wyoming-detector.ts'

const info = {
  wake: [
    artifact('openwakeword', {
      models: [
        artifact('hey_jarvis_v0.1', { languages: ['en'] }),
        artifact('ok_nabu', { phrase: 'okay nabu' }),
        artifact('alexa', { installed: false }),
      ],
    }),
    artifact('other', { installed: false, models: [artifact('hey_other')] }),
  ],
}
const warnings: string[] = []

async function start(handle: Parameters<typeof startWyomingServer>[0] = () => {}) {
  const server = await startWyomingServer(async (event, connection) => {
    if (event.type === 'describe') await connection.send({ type: 'info', data: info })
    await handle(event, connection)
  })
  const warn = (message: string) => void warnings.push(message)
  const detector = await createWyomingDetector({ address: server.address, endLimitMs: 50, warn })
  onTestFinished(() => detector.close())
  return { server, detector }
}

const request = (rest: Partial<WakeWordRequest> = {}): WakeWordRequest => ({
  modelId: 'wyoming/hey_jarvis_v0.1',
  phrases: ['hey jarvis'],
  sensitivity: 0.5,
  signal: new AbortController().signal,
  ...rest,
})

it('lists the installed models with their phrases', async () => {
  const { detector } = await start()
  expect(detector.models).toEqual([
    {
      modelId: 'wyoming/hey_jarvis_v0.1',
      displayName: 'hey_jarvis_v0.1',
      langCodes: ['EN_US'],
      phrases: ['hey jarvis'],
      isRough: false,
    },
    expect.objectContaining({ modelId: 'wyoming/ok_nabu', phrases: ['okay nabu'], langCodes: [] }),
  ])
})

it('names the model to the server, and sends the sound with its times', async () => {
  const { server, detector } = await start()
  const stream = await detector.open(request())
  await stream.push(new Int16Array(1600))
  await stream.push(new Int16Array(320))
  expect(await stream.end()).toEqual([])
  await vi.waitFor(() => expect(server.events).toHaveLength(6))
  stream.close()
  const [, detect, begin, first, second, stop] = server.events
  expect(detect).toMatchObject({ type: 'detect', data: { names: ['hey_jarvis_v0.1'] } })
  expect(begin).toMatchObject({
    type: 'audio-start',
    data: { rate: 16_000, width: 2, channels: 1 },
  })
  expect(first).toMatchObject({ type: 'audio-chunk', data: { timestamp: 0 } })
  expect(first!.payload).toHaveLength(3200)
  expect(second).toMatchObject({ data: { timestamp: 100 } })
  expect(stop).toMatchObject({ type: 'audio-stop', data: { timestamp: 120 } })
  await vi.waitFor(() => expect(server.openSockets()).toBe(0))
})

/** Sends sound, of which each piece lasts 2.1 s, to a server that reports detections with these times: one for each piece. */
async function findIn(reports: readonly (readonly (number | null)[])[]) {
  const { detector } = await start(async ({ type, data }, connection) => {
    const isLast = (Number(data['timestamp']) + 100) % 2100 === 0
    if (type !== 'audio-chunk' || !isLast) return
    for (const timestamp of reports[Math.floor(Number(data['timestamp']) / 2100)]!) {
      await connection.send({ type: 'detection', data: { name: 'hey_jarvis_v0.1', timestamp } })
    }
  })
  const stream = await detector.open(request())
  const found: number[] = []
  for (const index of reports.keys()) {
    await stream.push(new Int16Array(33_600))
    await vi.waitFor(async () => {
      found.push(...(await stream.push(new Int16Array(0))).map(({ endMs }) => endMs))
      expect(found.length).toBeGreaterThan(index)
    })
  }
  return found
}

it('reports a detection without a time when it arrives, and one from the future now', async () => {
  expect(await findIn([[null], [99_999], [6250]])).toEqual([2100, 4200, 6250])
})

it('reports a word once that the server reports for as long as it is in its window', async () => {
  expect(await findIn([[1800, 1880, 2100], [3500, 3580, 4100], [5200]])).toEqual([1800, 3500, 5200])
})

it.each([
  ['closes the connection', { type: 'close' }, /closed the connection|ECONNRESET|EPIPE/],
  ['reports an error', { type: 'error', data: { text: 'no model' } }, /reports an error: no model/],
])('fails when the server %s', async (_what, response, message) => {
  const { detector } = await start(async ({ type }, connection) => {
    if (type !== 'audio-chunk') return
    if (response.type === 'close') connection.destroy()
    else await connection.send(response)
  })
  const stream = await detector.open(request())
  const push = async () => {
    for (;;) await stream.push(new Int16Array(320))
  }
  await expect(push()).rejects.toThrow(message)
})

it('reports a server that is away, and finds nothing there', async () => {
  const warn = (message: string) => void warnings.push(message)
  const detector = await createWyomingDetector({ address: 'tcp://127.0.0.1:9', warn })
  expect(detector.models).toEqual([])
  expect(warnings.at(-1)).toMatch(/^The wake words of tcp:\/\/127.0.0.1:9 are not offered/)
  await expect(detector.open(request())).rejects.toThrow(/failed: .*Check that it runs/)
  await detector.close()
})

it('closes a connection that is there only after the client has gone', async () => {
  const { server, detector } = await start()
  await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  const opening = detector.open(request({ signal: abortWhenConnected() }))
  await expect(opening).rejects.toThrow('gone')
  await vi.waitFor(() => expect(server.accepted()).toBe(2))
  await vi.waitFor(() => expect(server.openSockets()).toBe(0))
})

it('closes the connections of its streams when it is closed', async () => {
  const { server, detector } = await start()
  const stream = await detector.open(request())
  await vi.waitFor(() => expect(server.openSockets()).toBe(1))
  await detector.close()
  await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  await expect(stream.push(new Int16Array(320))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('the service is stopping'),
  })
})
