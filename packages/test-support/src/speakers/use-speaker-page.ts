import { once } from 'node:events'
import { afterEach, beforeEach, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Driver } from '../../../node-red-nodes/src/speakers/driver.ts'
import { servePageDrivers } from '../../../node-red-nodes/src/speakers/kinds/page/page.ts'
import { type FakeHttpRed, startFakeHttpRed } from '../node-red/fake-http-red.ts'

/** A browser that can send sound. */
export interface PageSocket {
  /** What it has received. */
  messages: Record<string, unknown>[]
  send(data: Buffer | string): void
  close(): void
}

/** Serves the page `living-room` of a speaker in each test of the file. */
export function useSpeakerPage() {
  let http: FakeHttpRed
  let createDriver: (name: string) => Driver
  let driver: Driver
  beforeEach(async () => {
    http = await startFakeHttpRed()
    createDriver = servePageDrivers(http.RED)
    driver = createDriver('Living room')
  })
  afterEach(async () => {
    await closeWithPage(driver)
    await http.close()
  })

  /** Requests a path below the pages of all speakers. */
  const get = (path: string, options: RequestInit = {}) =>
    fetch(`${http.baseUrl}/parlando/speaker/${path}`, options)
  const tokenFor = async (name = 'living-room') => {
    const response = await get(`${name}/token`, { method: 'POST' })
    return ((await response.json()) as { token: string }).token
  }
  /** The address of the WebSocket of a browser, with a token. */
  const socketUrl = async (player: string) => {
    const query = new URLSearchParams({ player, token: await tokenFor() })
    return `${http.baseUrl.replace('http', 'ws')}/parlando/speaker/living-room/socket?${query}`
  }
  return {
    http: () => http,
    driver: () => driver,
    get,
    tokenFor,
    socketUrl,
    /** Replaces the speaker as a deploy does. */
    async deploy(): Promise<void> {
      await driver.close()
      driver = createDriver('Living room')
    },
    async openSocket(player: string): Promise<PageSocket> {
      const socket = new WebSocket(await socketUrl(player))
      const messages: Record<string, unknown>[] = []
      socket.on('message', (json) => messages.push(JSON.parse(String(json))))
      await once(socket, 'open')
      return {
        messages,
        send: (data) => socket.send(data),
        close: () => socket.close(),
      }
    },
    /** Presses a button of the page. @returns the status of the response. */
    async press(button: string, query: Record<string, string>): Promise<number> {
      const path = `living-room/${button}?${new URLSearchParams(query)}`
      return (await get(path, { method: 'POST' })).status
    },
  }
}

/**
 * Closes a driver and, not five seconds later, its page: that would happen while the next file of this worker runs, whose
 * timers may be fake ones.
 */
export async function closeWithPage(driver: Driver): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await driver.close()
    vi.advanceTimersByTime(5_000)
  } finally {
    vi.useRealTimers()
  }
}
