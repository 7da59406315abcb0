import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type {
  BrowserCommand,
  BrowserEvent,
} from '../../../node-red-nodes/src/speakers/browser/commands.ts'
import {
  createRecordedSound,
  type RecordedSound,
  recordingRateHertz,
} from '../audio/recorded-sound.ts'
import type { FakeHttpRed } from '../node-red/fake-http-red.ts'

/** A browser that follows the protocol of speakers and plays sounds in real time, without a sound device. */
export interface SimulatedBrowser {
  /** Its id on the server. */
  player: string
  commands: BrowserCommand[]
  record(): Promise<Recording>
  /** Closes the page, without a report. */
  close(): void
}

export interface Recording {
  /**
   * Meanwhile, this process cannot respond as a browser, so a test that expects more sounds waits for them first.
   * @param endAt what is heard later is left out. A time of `performance.now()`. Default: now.
   */
  stop(endAt?: number): Promise<RecordedSound>
}

export interface SimulatedBrowserOptions {
  /** Whether the browser allows no sound. */
  isLocked?: boolean
  isHidden?: boolean
  /** Events that the browser does not report. */
  omitted?: readonly BrowserEvent[]
  player?: string
}

interface Playback {
  /** When its first sample is heard. */
  startsAt: number
  sampleRateHertz: number
  /** 1 is the sound as it was made. */
  amplitude: number
  pcm: Buffer
  /** Cancels the request of the sound, so that no sample that is still on its way is played. */
  stop: AbortController
}

const leadMs = 150

export interface SimulatedPage extends SimulatedBrowser {
  /** Loses its connection, and connects again. */
  reconnect(): Promise<void>
  /** Resolves when the server has closed the first connection. */
  disconnected: Promise<void>
}

/** Opens the page of a speaker. Resolves when it is connected. */
export async function openPage(
  baseUrl: string,
  name: string,
  options: SimulatedBrowserOptions = {},
): Promise<SimulatedPage> {
  const path = `${baseUrl}/parlando/speaker/${encodeURIComponent(name)}`
  const { browser, take, closed } = simulate(path, options)
  const connect = async () => {
    const response = await fetch(`${path}/token`, { method: 'POST' })
    if (!response.ok) throw new Error(`the token has the status ${response.status}`)
    const { token } = (await response.json()) as { token: string }
    const query = new URLSearchParams({ player: browser.player, token })
    return receiveEvents(`${path}/events?${query}`, closed, take)
  }
  const first = await connect()
  let connection = first
  return {
    ...browser,
    disconnected: first.ended,
    async reconnect() {
      connection.abort()
      connection = await connect()
    },
  }
}

/** Resolves when the events are received. */
export async function receiveEvents(
  address: string,
  closed: AbortSignal,
  take: (command: BrowserCommand) => void,
): Promise<{ abort(): void; ended: Promise<void> }> {
  const connection = new AbortController()
  closed.addEventListener('abort', () => connection.abort())
  const { body, status } = await fetch(address, { signal: connection.signal })
  if (status !== 200) throw new Error(`the events have the status ${status}`)
  const receive = async () => {
    let text = ''
    for await (const chunk of chunksOf(body)) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const command = JSON.parse(event.slice('data: '.length))
        if (!['alive', 'alarms', 'question'].includes(command.type)) take(command)
      }
    }
  }
  const ended = receive().catch(() => {})
  return { abort: () => connection.abort(), ended }
}

/** Opens the editor in a tab. */
export function openEditorTab(
  { baseUrl, subscribe }: Pick<FakeHttpRed, 'baseUrl' | 'subscribe'>,
  options: SimulatedBrowserOptions = {},
): SimulatedBrowser {
  const { browser, take, closed } = simulate(`${baseUrl}/parlando/editor-speaker`, options)
  const unsubscribe = subscribe((_topic, message) => take(message as BrowserCommand))
  closed.addEventListener('abort', unsubscribe)
  return browser
}

function simulate(path: string, options: SimulatedBrowserOptions) {
  const { isLocked, isHidden, omitted = [], player = randomBytes(8).toString('hex') } = options
  const closing = new AbortController()
  const { signal } = closing
  const commands: BrowserCommand[] = []

  const report = async (id: string, event: BrowserEvent) => {
    if (omitted.includes(event) || signal.aborted) return false
    const query = new URLSearchParams({ id, player, event })
    try {
      const response = await fetch(`${path}/report?${query}`, { method: 'POST', signal })
      return ((await response.json()) as { play: boolean }).play
    } catch {
      return false
    }
  }
  const request = async (id: string, stopped: AbortSignal) => {
    const query = new URLSearchParams({ id, player })
    const whenClosed = AbortSignal.any([signal, stopped])
    const response = await fetch(`${path}/audio?${query}`, { signal: whenClosed })
    if (!response.ok) throw new Error(`the audio has the status ${response.status}`)
    return chunksOf(response.body)
  }
  const sounds = new PlayedSounds(request, report)
  const take = async (command: BrowserCommand) => {
    commands.push(command)
    const { id, type } = command
    if (type === 'stop') return sounds.stop(id)
    const isChosen = await report(id, isLocked ? 'locked' : isHidden ? 'hidden' : 'ready')
    if (isChosen && type === 'offer') await sounds.play(command)
  }

  const browser: SimulatedBrowser = {
    player,
    commands,
    async record() {
      const startedAt = performance.now()
      return {
        stop: async (endAt = performance.now()) =>
          createRecordedSound(sounds.mix(startedAt, endAt), startedAt),
      }
    },
    close: () => closing.abort(),
  }
  return {
    browser,
    closed: signal,
    take: (command: BrowserCommand) => void take(command).catch(() => {}),
  }
}

/** What a browser has played, each sound from when its first sample was heard. */
class PlayedSounds {
  readonly #sounds = new Map<string, Playback>()
  readonly #request: (id: string, stopped: AbortSignal) => Promise<AsyncIterable<Buffer>>
  readonly #report: (id: string, event: BrowserEvent) => Promise<boolean>

  /**
   * @param request requests the chunks of a sound.
   * @param report tells the server what becomes of a sound.
   */
  constructor(
    request: (id: string, stopped: AbortSignal) => Promise<AsyncIterable<Buffer>>,
    report: (id: string, event: BrowserEvent) => Promise<boolean>,
  ) {
    this.#request = request
    this.#report = report
  }

  async play({ id, sampleRateHertz, volume }: BrowserCommand & { type: 'offer' }): Promise<void> {
    const stop = new AbortController()
    const amplitude = volume / 100
    const pcm = Buffer.alloc(0)
    const playback: Playback = { startsAt: 0, sampleRateHertz, amplitude, pcm, stop }
    this.#sounds.set(id, playback)
    try {
      for await (const chunk of await this.#request(id, stop.signal)) {
        if (stop.signal.aborted) return
        if (playback.startsAt === 0) this.#begin(id, playback)
        append(playback, chunk)
      }
    } catch {
      if (!stop.signal.aborted) void this.#report(id, 'failed')
      return
    }
    setTimeout(() => this.#report(id, 'ended'), Math.max(0, endOf(playback) - performance.now()))
  }

  #begin(id: string, playback: Playback): void {
    playback.startsAt = performance.now() + leadMs
    setTimeout(() => this.#report(id, 'started'), leadMs)
  }

  /** Nothing is heard from now on. */
  stop(id: string): void {
    const playback = this.#sounds.get(id)
    if (!playback) return
    playback.stop.abort()
    const heardMs = Math.max(0, performance.now() - playback.startsAt)
    playback.pcm = playback.pcm.subarray(0, bytesOf(heardMs, playback.sampleRateHertz))
  }

  /** @returns what is heard between two times. */
  mix(startedAt: number, endAt: number): Buffer {
    const samples = Math.round(((endAt - startedAt) / 1000) * recordingRateHertz)
    const mixed = Buffer.alloc(2 * samples)
    for (const { pcm, startsAt, sampleRateHertz, amplitude } of this.#sounds.values()) {
      const first = Math.round(((startsAt - startedAt) / 1000) * recordingRateHertz)
      const repeats = recordingRateHertz / sampleRateHertz
      for (let index = Math.max(0, -first); index < (pcm.length / 2) * repeats; index++) {
        const at = 2 * (first + index)
        if (at >= mixed.length) break
        const sample = amplitude * pcm.readInt16LE(2 * Math.floor(index / repeats))
        mixed.writeInt16LE(Math.round(mixed.readInt16LE(at) + sample), at)
      }
    }
    return mixed
  }
}

/** A chunk that arrives too late is played late. */
function append(playback: Playback, chunk: Buffer): void {
  const lateMs = performance.now() - endOf(playback)
  const silence = lateMs > 0 ? bytesOf(lateMs + leadMs, playback.sampleRateHertz) : 0
  playback.pcm = Buffer.concat([playback.pcm, Buffer.alloc(silence), chunk])
}

/** The type of `fetch` lacks the iterator. */
export function chunksOf(body: Response['body']): AsyncIterable<Buffer> {
  return Readable.fromWeb(body as unknown as ReadableStream)
}

function bytesOf(durationMs: number, sampleRateHertz: number): number {
  return 2 * Math.round((durationMs / 1000) * sampleRateHertz)
}

/** When the last sample that has arrived is heard. */
function endOf({ startsAt, pcm, sampleRateHertz }: Playback): number {
  return startsAt + (pcm.length / 2 / sampleRateHertz) * 1000
}
