import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createConnection } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type FakeHttpRed, startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import {
  openMicrophone,
  requestToken,
  type SimulatedMicrophone,
  socketAddress,
} from '@parlando/test-support/node-red/simulated-microphone'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { bytesPerSecond } from '../microphone-recording.ts'
import type { MicrophonePageOptions, PageState, WakeWordReports } from './microphone-page.ts'
import { type MicrophonePages, serveMicrophonePages } from './page-routes.ts'

const settings = { mode: 'push', speaker: '' } as const
/** 20 ms. */
const packet = Buffer.alloc(640, 1)

let http: FakeHttpRed
let pages: MicrophonePages
let opened: ReturnType<MicrophonePages['open']>[]
let recordings: { pcm: Buffer; message?: object; end?: 'whole' | 'interrupted' }[]
let states: PageState[]
beforeEach(async () => {
  http = await startFakeHttpRed()
  pages = serveMicrophonePages(http.RED)
  opened = []
  recordings = []
  states = []
})
afterEach(async () => {
  await Promise.all(opened.map((page) => page?.close()))
  await http.close()
})

function open(name: string, limits: Partial<MicrophonePageOptions> = {}) {
  const page = pages.open(name, {
    settings,
    onRecording(message) {
      const recording: (typeof recordings)[number] = {
        pcm: Buffer.alloc(0),
        ...(message && { message }),
      }
      recordings.push(recording)
      return {
        push(pcm) {
          recording.pcm = Buffer.concat([recording.pcm, pcm])
        },
        end(isInterrupted) {
          recording.end = isInterrupted ? 'interrupted' : 'whole'
        },
      }
    },
    onChange: (state) => states.push(state),
    ...limits,
  })
  opened.push(page)
  return page
}

it('a rejected connection is closed although the other side keeps its half open', async () => {
  open('kitchen')
  const socket = createConnection({ port: Number(new URL(http.baseUrl).port), allowHalfOpen: true })
  const path = new URL(socketAddress(http.baseUrl, 'kitchen', 'wrong'))
  const target = `${path.pathname}${path.search}`
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nmore`,
  )
  socket.resume()
  await once(socket, 'end')
  const count = () =>
    new Promise((resolve) => http.RED.server.getConnections((_error, count) => resolve(count)))
  await vi.waitFor(async () => expect(await count()).toBe(0))
  socket.destroy()
})

/** The HTTP status of a rejected connection. */
async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(address, { headers })
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  return response.statusCode
}

describe('the page of a microphone', () => {
  it('passes on what a browser records, to the last sample', async () => {
    open('Kitchen')
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    expect(microphone.messages).toEqual([{ type: 'ready', settings }])
    const pcm = Buffer.from(Array.from({ length: 6400 }, (_, index) => index % 256))
    await microphone.record(pcm, { isFast: true })
    await vi.waitFor(() => expect(recordings).toEqual([{ pcm, end: 'whole' }]))
    expect(states.at(-1)).toEqual({ connected: 1, isRecording: false, isWaiting: false })
    microphone.close()
    await vi.waitFor(() =>
      expect(states.at(-1)).toEqual({ connected: 0, isRecording: false, isWaiting: false }),
    )
  })

  it('lets one browser record at a time', async () => {
    open('kitchen')
    const first = await openMicrophone(http.baseUrl, 'kitchen')
    const second = await openMicrophone(http.baseUrl, 'kitchen')
    first.send({ type: 'start' })
    first.socket.send(packet)
    await vi.waitFor(() => expect(recordings).toHaveLength(1))
    second.send({ type: 'start' })
    second.socket.send(packet)
    second.send({ type: 'end' })
    await vi.waitFor(() => expect(second.messages).toContainEqual({ type: 'busy' }))
    first.send({ type: 'end' })
    await vi.waitFor(() => expect(recordings).toEqual([{ pcm: packet, end: 'whole' }]))
    await second.record(packet, { isFast: true })
    await vi.waitFor(() => expect(recordings).toHaveLength(2))
  })

  it('ends a recording when the flow stops it, and ignores the rest', async () => {
    const page = open('kitchen')
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    microphone.send({ type: 'start' })
    microphone.socket.send(packet)
    await vi.waitFor(() => expect(recordings[0]?.pcm).toEqual(packet))
    page!.stop()
    microphone.socket.send(packet)
    microphone.send({ type: 'end' })
    await vi.waitFor(() => expect(microphone.messages).toContainEqual({ type: 'stop' }))
    expect(recordings).toEqual([{ pcm: packet, end: 'whole' }])
  })

  it('goes on if the wait of a browser for a wake word cannot be ended', async () => {
    const failing = { push() {}, close: () => Promise.reject(new Error('the service is away')) }
    open('kitchen', { onWait: () => failing })
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    microphone.send({ type: 'wait' })
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ isWaiting: true }))
    microphone.send({ type: 'end' })
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ isWaiting: false }))
    await microphone.record(packet, { isFast: true })
    await vi.waitFor(() => expect(recordings).toEqual([{ pcm: packet, end: 'whole' }]))
  })

  it('shows texts of the flow in every browser, up to 2,000 whole characters', async () => {
    const page = open('kitchen')
    const browsers = [
      await openMicrophone(http.baseUrl, 'kitchen'),
      await openMicrophone(http.baseUrl, 'kitchen'),
    ]
    page!.show('user', `${'x'.repeat(1999)}👍`)
    for (const { messages } of browsers) {
      const shown = { type: 'show', role: 'user', text: 'x'.repeat(1999) }
      await vi.waitFor(() => expect(messages).toContainEqual(shown))
    }
  })

  it('marks a recording as interrupted when its browser is gone or sends nothing', async () => {
    open('kitchen', { maxPauseMs: 50 })
    const first = await openMicrophone(http.baseUrl, 'kitchen')
    first.send({ type: 'start' })
    first.socket.send(packet)
    await vi.waitFor(() => expect(recordings[0]?.end).toBe('interrupted'))
    await vi.waitFor(() => expect(first.messages).toContainEqual({ type: 'stop' }))
    first.send({ type: 'start' })
    await vi.waitFor(() => expect(recordings).toHaveLength(2))
    first.socket.terminate()
    await vi.waitFor(() => expect(recordings[1]?.end).toBe('interrupted'))
  })

  it('disconnects a browser that sends much faster than it can record', async () => {
    open('kitchen')
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    const closed = once(microphone.socket, 'close')
    await microphone.record(Buffer.alloc(30 * bytesPerSecond), { isFast: true })
    expect((await closed)[0]).toBe(1008)
    expect(recordings[0]!.pcm.length).toBeLessThan(20 * bytesPerSecond)
    expect(recordings[0]!.end).toBe('interrupted')
  })

  it('disconnects a browser that sends texts without end, half a sample, or a large message, once', async () => {
    open('kitchen')
    const close = vi.spyOn(WebSocket.prototype, 'close')
    const floods: [(socket: WebSocket) => void, number][] = [
      [(socket) => Array.from({ length: 5000 }, () => socket.send('?')), 1008],
      [(socket) => socket.send(Buffer.alloc(3)), 1003],
      [(socket) => socket.send(Buffer.alloc(6402)), 1009],
    ]
    for (const [flood, code] of floods) {
      const { socket } = await openMicrophone(http.baseUrl, 'kitchen')
      const closed = once(socket, 'close')
      flood(socket)
      expect((await closed)[0]).toBe(code)
    }
    // Both sides call it again, with a reason, when they receive the message that closes the connection.
    const ours = close.mock.calls.filter(({ length }) => length === 1)
    expect(ours).toEqual(floods.map(([, code]) => [code]))
    close.mockRestore()
    await vi.waitFor(() =>
      expect(states.at(-1)).toEqual({ connected: 0, isRecording: false, isWaiting: false }),
    )
  })

  it('disconnects a browser that does not respond, and keeps one that does', async () => {
    open('kitchen', { heartbeatMs: 60 })
    const asleep = await openMicrophone(http.baseUrl, 'kitchen')
    const awake = await openMicrophone(http.baseUrl, 'kitchen')
    asleep.socket.pause()
    await vi.waitFor(() => expect(states.at(-1)?.connected).toBe(1))
    await vi.waitFor(() => expect(awake.messages).toContainEqual({ type: 'alive' }))
    expect(awake.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('connects 50 browsers; the one that is silent for longest makes room for the next one', async () => {
    open('kitchen')
    const microphones = []
    for (let count = 0; count < 50; count++) {
      microphones.push(await openMicrophone(http.baseUrl, 'kitchen'))
    }
    const [recording, active, silent] = microphones
    recording!.send({ type: 'start' })
    await vi.waitFor(() => expect(recordings).toHaveLength(1))
    active!.send({ type: 'end' })
    const closed = once(silent!.socket, 'close')
    // The one that records stays, although it has been silent for longer.
    active!.send({ type: 'start' })
    await vi.waitFor(() => expect(active!.messages).toContainEqual({ type: 'busy' }))
    await openMicrophone(http.baseUrl, 'kitchen')
    expect((await closed)[0]).toBe(1013)
    await vi.waitFor(() =>
      expect(states.at(-1)).toEqual({ connected: 50, isRecording: true, isWaiting: false }),
    )
    expect([recording, active].map(({ socket } = silent!) => socket.readyState)).toEqual([1, 1])
  })

  it('lets the next one record when a browser records without end, also in pieces', async () => {
    open('kitchen', { maxTurnMs: 100 })
    const endless = await openMicrophone(http.baseUrl, 'kitchen')
    const other = await openMicrophone(http.baseUrl, 'kitchen')
    endless.send({ type: 'start' })
    endless.send({ type: 'end' })
    endless.send({ type: 'start' })
    await vi.waitFor(() => expect(recordings).toHaveLength(2))
    await vi.waitFor(() => {
      other.send({ type: 'start' })
      expect(recordings).toHaveLength(3)
    })
    expect(recordings[1]!.end).toBe('interrupted')
    await vi.waitFor(() => expect(endless.messages).toContainEqual({ type: 'stop' }))
    other.socket.send(packet)
    await vi.waitFor(() => expect(recordings[2]!.pcm).toEqual(packet))
  })

  it('needs a token that is used once, a known name, and a page of the same host', async () => {
    open('kitchen')
    const address = async (name = 'kitchen') =>
      socketAddress(http.baseUrl, name, await requestToken(http.baseUrl, 'kitchen'))
    const used = await address()
    const socket = new WebSocket(used)
    await once(socket, 'open')
    expect(await statusOf(used)).toBe(401)
    expect(await statusOf(socketAddress(http.baseUrl, 'kitchen', ''))).toBe(401)
    expect(await statusOf(await address('bathroom'))).toBe(404)
    expect(await statusOf(await address(), { origin: 'https://evil.example' })).toBe(403)
    await expect(requestToken(http.baseUrl, 'bathroom')).rejects.toThrow('404')
    const path = `${http.baseUrl}/parlando/microphone/kitchen/token`
    const statusFor = async (headers: Record<string, string>) => {
      const request = httpRequest(path, { method: 'POST', headers }).end()
      const [response] = await once(request, 'response')
      return response.resume().statusCode
    }
    expect(await statusFor({ origin: 'https://evil.example' })).toBe(403)
    // A name of somebody else that leads to this machine.
    expect(await statusFor({ origin: 'http://evil.example', host: 'evil.example' })).toBe(421)
    const rebound = { origin: 'http://evil.example', host: 'evil.example' }
    expect(await statusOf(await address(), rebound)).toBe(403)
  })

  it('serves only one microphone with its name, and another one after that is closed', async () => {
    const first = open('Front door')
    expect(open('front-door')).toBeUndefined()
    await first!.close()
    expect(open('front-door')).toBeDefined()
  })

  it('records nothing that arrives after it is closed', async () => {
    const page = open('kitchen')
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    const closed = once(microphone.socket, 'close')
    await page!.close()
    microphone.send({ type: 'start' })
    microphone.socket.send(packet)
    await closed
    expect(recordings).toEqual([])
  })
})

describe("Node-RED's server", () => {
  it('has one listener more while there are pages, and none afterwards', async () => {
    const { server } = http.RED
    const before = server.listeners('upgrade')
    const pages = [open('kitchen'), open('bathroom')]
    expect(server.listeners('upgrade')).toHaveLength(before.length + 1)
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    const closed = once(microphone.socket, 'close')
    await Promise.all(pages.map((page) => page!.close()))
    expect((await closed)[0]).toBe(1012)
    expect(server.listeners('upgrade')).toEqual(before)
  })

  it('keeps the connections of other listeners', async () => {
    open('kitchen')
    const others = new WebSocketServer({ noServer: true })
    http.RED.server.on('upgrade', async (request, socket, head) => {
      if (!request.url?.startsWith('/comms')) return
      await delay(20)
      others.handleUpgrade(request, socket, head, (other) => other.send('hello'))
    })
    const socket = new WebSocket(`${http.baseUrl.replace('http', 'ws')}/comms`)
    expect(String((await once(socket, 'message'))[0])).toBe('hello')
    expect(await openMicrophone(http.baseUrl, 'kitchen')).toBeDefined()
    socket.terminate()
  })

  it('rejects malformed addresses', async () => {
    open('kitchen')
    const { port } = new URL(http.baseUrl)
    for (const path of ['%', 'kitchen/socket/more', '%ff/socket', '../x', '?']) {
      const raw = createConnection(Number(port), '127.0.0.1')
      raw.write(
        `GET /parlando/microphone/${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      )
      expect(String((await once(raw, 'data'))[0])).toMatch(/^HTTP\/1.1 40[014] /)
      raw.destroy()
    }
    expect(await openMicrophone(http.baseUrl, 'kitchen')).toBeDefined()
  })
})

describe('a page that waits for a wake word', () => {
  let listeners: { pcm: Buffer[]; isClosed: boolean; reports: WakeWordReports }[]
  const openWaiting = async (closed = Promise.resolve()) => {
    listeners = []
    open('kitchen', {
      settings: { mode: 'wake-word', speaker: '' },
      onWait(reports) {
        const listener: (typeof listeners)[number] = { pcm: [], isClosed: false, reports }
        listeners.push(listener)
        return {
          push: (pcm) => listener.pcm.push(pcm),
          async close() {
            listener.isClosed = true
            await closed
          },
        }
      },
    })
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    microphone.send({ type: 'wait' })
    await vi.waitFor(() => expect(listeners).toHaveLength(1))
    return microphone
  }
  const soundIn = (count: number) => vi.waitFor(() => expect(listeners[0]!.pcm).toHaveLength(count))
  const typesOf = ({ messages }: SimulatedMicrophone) =>
    messages.map(({ type }) => type).filter((type) => !['alive', 'ready'].includes(type))

  it('records nothing before the word, and what is said after it', async () => {
    const microphone = await openWaiting()
    microphone.socket.send(packet)
    await soundIn(1)
    expect(recordings).toEqual([])
    expect(states.at(-1)).toEqual({ connected: 1, isRecording: false, isWaiting: true })
    const [listener] = listeners
    listener!.reports.onWaiting(['hey house'])
    listener!.reports.onWake(Buffer.alloc(2, 9))
    microphone.socket.send(packet)
    await vi.waitFor(() => expect(recordings[0]?.pcm).toHaveLength(642))
    expect(recordings[0]!.pcm[0]).toBe(9)
    // A second detection in the same recording.
    listener!.reports.onWake(Buffer.alloc(2, 8))
    microphone.send({ type: 'wait' })
    microphone.socket.send(packet)
    await soundIn(2)
    expect(recordings).toMatchObject([{ end: 'whole', pcm: { length: 642 } }])
    expect(typesOf(microphone)).toEqual(['waiting', 'awake'])
    expect(listeners).toMatchObject([{ isClosed: false }])
  })

  it('records without the word when the flow wants to, where somebody has talked last', async () => {
    const first = await openWaiting()
    const second = await openMicrophone(http.baseUrl, 'kitchen')
    second.send({ type: 'wait' })
    await vi.waitFor(() => expect(listeners).toHaveLength(2))
    const [page] = opened
    const message = { topic: 'again' }
    expect(page!.wake(message)).toBe(true)
    await vi.waitFor(() => expect(typesOf(first)).toEqual(['awake']))
    first.socket.send(packet)
    await vi.waitFor(() => expect(recordings[0]).toMatchObject({ message, pcm: { length: 640 } }))
    expect(page!.wake({})).toBe(true)
    first.send({ type: 'wait' })
    await vi.waitFor(() => expect(recordings[0]!.end).toBe('whole'))
    listeners[1]!.reports.onWake(Buffer.alloc(2))
    second.send({ type: 'wait' })
    await vi.waitFor(() => expect(recordings[1]?.end).toBe('whole'))
    expect(page!.wake({})).toBe(true)
    await vi.waitFor(() => expect(typesOf(second)).toEqual(['awake', 'awake']))
    expect(typesOf(first)).toEqual(['awake'])
    first.close()
    second.close()
    await vi.waitFor(() => expect(states.at(-1)!.connected).toBe(0))
    expect(page!.wake({})).toBe(false)
  })

  it('ceases to wait when it is switched off, and when its connection ends', async () => {
    const microphone = await openWaiting()
    microphone.send({ type: 'end' })
    await vi.waitFor(() => expect(listeners[0]!.isClosed).toBe(true))
    listeners[0]!.reports.onWake(Buffer.alloc(2))
    expect(recordings).toEqual([])
    microphone.send({ type: 'wait' })
    await vi.waitFor(() => expect(listeners).toHaveLength(2))
    microphone.close()
    await vi.waitFor(() => expect(listeners[1]!.isClosed).toBe(true))
    expect(states.at(-1)).toEqual({ connected: 0, isRecording: false, isWaiting: false })
  })

  it('keeps waiting when the flow ends a recording, or another page records', async () => {
    const microphone = await openWaiting()
    const other = await openMicrophone(http.baseUrl, 'kitchen')
    other.send({ type: 'start' })
    await vi.waitFor(() => expect(recordings).toHaveLength(1))
    listeners[0]!.reports.onWake(Buffer.alloc(2))
    await vi.waitFor(() => expect(typesOf(microphone)).toEqual(['busy']))
    other.send({ type: 'end' })
    await vi.waitFor(() => expect(recordings[0]!.end).toBe('whole'))
    listeners[0]!.reports.onWake(Buffer.alloc(2))
    opened[0]!.stop()
    await vi.waitFor(() => expect(typesOf(microphone)).toEqual(['busy', 'awake', 'stop']))
    expect(listeners).toMatchObject([{ isClosed: false }])
  })

  it('is closed when its connections to the service are, also those of browsers that have left', async () => {
    let disconnect = () => {}
    const disconnected = new Promise<void>((resolve) => {
      disconnect = resolve
    })
    const microphone = await openWaiting(disconnected)
    const other = await openMicrophone(http.baseUrl, 'kitchen')
    microphone.send({ type: 'end' })
    await vi.waitFor(() => expect(listeners[0]!.isClosed).toBe(true))
    let isClosed = false
    const closed = opened[0]!.close().then(() => {
      isClosed = true
    })
    await once(other.socket, 'close')
    expect(isClosed).toBe(false)
    disconnect()
    await closed
  })

  it('shows why the service cannot wait', async () => {
    const microphone = await openWaiting()
    listeners[0]!.reports.onProblem(new Error('no detector'))
    await vi.waitFor(() =>
      expect(microphone.messages).toContainEqual({
        type: 'wake-word-problem',
        reason: 'no detector',
      }),
    )
  })
})
