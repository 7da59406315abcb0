import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createPcmReader } from '../../../packages/local-service/src/listening/pcm-reader.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import {
  anyMessages,
  microphoneMessages,
  realtimeMessages,
  someMessages,
  speechMessages,
  transcriptionMessages,
  wyomingMessages,
} from './messages.ts'
import {
  type OpenConnection,
  openMicrophonePage,
  openSpeakerPage,
  openWebSocketPort,
  openWyomingPort,
} from './ports.ts'

// A watchdog of processor time and of memory over every port and socket that keeps a connection open.

/** What a connection may make the service hold, with the messages in progress. */
const maxHeldMebibytes = 24
/** Of ten floods that have ended. */
const maxKeptMebibytes = 4

const app = useTestApp()

// The first sound loads the resampler, which stays.
beforeAll(async () => {
  for (const sampleRateHertz of [24_000, 48_000]) {
    const reader = await createPcmReader({ sampleRateHertz, channels: 1 })
    reader.close()
  }
})

/** Up to ten floods, on a busy machine. */
const caseLimitMs = 120_000
/** Some floods are texts that take minutes to speak. */
const floodLimitMs = isThoroughRun ? 5000 : 1000

/** Sends bytes, and waits until nothing moves any more. */
async function flood(socket: Socket, bytes: Buffer, isRead: boolean): Promise<void> {
  if (isRead) socket.resume()
  socket.write(bytes)
  const progress = () => `${socket.bytesRead} ${socket.bytesWritten - socket.writableLength}`
  const endsAt = performance.now() + floodLimitMs
  for (let before = ''; before !== progress() && performance.now() < endsAt; ) {
    before = progress()
    await wait(100)
  }
}

let heldBefore = 0
async function expectNoHarm(open: OpenConnection, bytes: Buffer): Promise<void> {
  // A flood that has just ended may still be worked on, so each is compared with the memory before itself.
  const before = await heldMebibytes(heldBefore + 1)
  heldBefore = before
  for (const isRead of isThoroughRun ? [true, false] : [false]) {
    let socket: Socket | undefined
    const held = await measureHold(async () => {
      socket?.destroy()
      socket = await open()
      await flood(socket, bytes, isRead)
    })
    const grown = (await heldMebibytes(before + maxHeldMebibytes)) - before
    socket?.destroy()
    expect(held).toBeLessThan(maxHoldMs)
    expect(grown).toBeLessThan(maxHeldMebibytes)
  }
}

describe.each<[string, () => Promise<OpenConnection>, Record<string, Buffer>]>([
  [
    'the realtime socket',
    () => openWebSocketPort(app, '/v1/realtime'),
    { ...anyMessages, ...realtimeMessages },
  ],
  [
    'the speech socket',
    () => openWebSocketPort(app, '/tts/v1/voice:streamBidirectional'),
    { ...someMessages, ...speechMessages },
  ],
  [
    'the transcription socket',
    () => openWebSocketPort(app, '/stt/v1/transcribe:streamBidirectional'),
    { ...someMessages, ...transcriptionMessages },
  ],
  ['the Wyoming port', () => openWyomingPort(app), wyomingMessages],
  ['the page of a microphone', openMicrophonePage, { ...someMessages, ...microphoneMessages }],
  ['the page of a speaker', openSpeakerPage, someMessages],
])('%s', (_port, openPort, floods) => {
  it.each(Object.entries(floods))(
    'neither holds the event loop nor its memory for %s',
    async (_flood, bytes) => expectNoHarm(await openPort(), bytes),
    caseLimitMs,
  )
})

it(
  'the realtime socket keeps nothing of ten floods',
  async () => {
    const open = await openWebSocketPort(app, '/v1/realtime')
    const floodOnce = async () => {
      // Each session counts until the service has read what had arrived, and the limit is ten.
      const socket = await vi.waitFor(open, 10_000)
      await flood(socket, realtimeMessages['empty pieces of sound']!, false)
      socket.destroy()
    }
    const floodTenTimes = async () => {
      for (let times = 0; times < 10; times++) await floodOnce()
    }
    // The first ones start what detects turns, and compile what reads the messages: both stay.
    await floodTenTimes()
    const before = await heldMebibytes()
    await floodTenTimes()
    const enough = before + maxKeptMebibytes
    expect(await heldMebibytes(enough)).toBeLessThan(enough)
  },
  caseLimitMs,
)
