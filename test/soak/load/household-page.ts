import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { WebSocket } from 'ws'
import { services } from '../flow/nodes.ts'
import { pageOf } from '../flow/speakers.ts'
import { count } from '../messages/message-stats.ts'
import type { System } from '../programs/system.ts'
import type { Random } from './random.ts'

const spokenReplies = ['Yes, please.', 'No.', 'The train leaves at noon.']

/** Opens the page of the speaker of each service. */
export async function openPages(
  { nodeRedUrl, steadyUrl }: System,
  random: Random,
  counts: Record<string, number>,
): Promise<{ close(): Promise<unknown> }> {
  const replies = await recordReplies(steadyUrl)
  const pages = services.map((service) =>
    openHouseholdPage({ nodeRedUrl, name: pageOf(service), random, replies, counts }),
  )
  await Promise.all(pages.map(({ opened }) => opened))
  return { close: () => Promise.all(pages.map((page) => page.close())) }
}

async function recordReplies(baseUrl: string): Promise<Uint8Array[]> {
  const client = createClient({ baseUrl })
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16_000 } as const
  const replies = spokenReplies.map((text) =>
    client.synthesize({ text, voiceId: 'Angus', audioConfig }),
  )
  const sounds = await Promise.all(replies)
  await client.close()
  return sounds.map(({ audio }) => audio)
}

interface PageOptions {
  nodeRedUrl: string
  /** Of the speaker. */
  name: string
  random: Random
  /** What somebody says to a question, answer or not: PCM, 16 kHz. */
  replies: readonly Uint8Array[]
  counts: Record<string, number>
}

const reconnectMs = 300
const packetMs = 20
const packetBytes = 640
const silence = new Uint8Array(packetBytes)

/**
 * The page of a speaker, open in a browser that plays each sound as fast as it arrives. Somebody answers its questions by voice
 * or by a button, says something else, or nothing. It connects again after each deploy.
 */
function openHouseholdPage(options: PageOptions) {
  const closing = new AbortController()
  const player = randomBytes(8).toString('hex')
  let onOpen = () => {}
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve
  })
  const counters = { nextQuestion: createCounter(), nextOpening: createCounter() }
  const life = stayConnected({ ...options, ...counters, player, signal: closing.signal, onOpen })
  return {
    opened,
    close() {
      closing.abort()
      return life
    },
  }
}

function createCounter(): () => number {
  let next = 0
  return () => next++
}

interface Browser extends PageOptions {
  /** Return 0, 1, 2…: every kind of answer is given, however short the soak is. */
  nextQuestion(): number
  nextOpening(): number
  /** Its id on the server. */
  player: string
  signal: AbortSignal
  /** Called when it is connected, also again. */
  onOpen(): void
}

async function stayConnected(browser: Browser): Promise<void> {
  const { signal } = browser
  while (!signal.aborted) {
    // A deploy closes the connection, or the page that it would have had.
    await connectOnce(browser).catch(() => {})
    await setTimeout(reconnectMs, undefined, { signal }).catch(() => {})
  }
}

/** Resolves when the connection is closed. */
async function connectOnce(browser: Browser): Promise<void> {
  const { nodeRedUrl, name, player, signal, onOpen } = browser
  const path = `${nodeRedUrl}/parlando/speaker/${name}`
  const request = (action: string, query: Record<string, string> = {}, method = 'POST') =>
    fetch(`${path}/${action}?${new URLSearchParams({ player, ...query })}`, {
      method,
      signal,
      headers: { connection: 'close' },
    })
  const { token } = (await (await request('token')).json()) as { token: string }
  const query = new URLSearchParams({ player, token })
  const socket = new WebSocket(`${path.replace('http', 'ws')}/socket?${query}`)
  const close = () => socket.terminate()
  signal.addEventListener('abort', close)
  const connected = { ...browser, request, socket }
  const microphone = createMicrophone(connected)
  socket.on('open', onOpen)
  socket.on('message', (json) => {
    const { type, id, isOpen, question } = JSON.parse(String(json))
    const work =
      type === 'offer' || type === 'probe'
        ? hear(connected, id)
        : type === 'question' && question
          ? pressSomeButton(connected, question)
          : type === 'microphone' && microphone(isOpen)
    Promise.resolve(work).catch(() => {})
  })
  await once(socket, 'close').finally(() => signal.removeEventListener('abort', close))
}

interface Connected extends Browser {
  request(action: string, query?: Record<string, string>, method?: string): Promise<Response>
  socket: WebSocket
}

async function hear({ request, counts }: Connected, id: string): Promise<void> {
  const report = (event: string) => request('report', { id, event })
  const { play } = (await (await report('ready')).json()) as { play: boolean }
  if (!play) return
  const sound = await request('audio', { id }, 'GET')
  await report('started')
  await sound.arrayBuffer()
  await report('ended')
  count(counts, 'sounds heard on the page of a speaker')
}

/** One question in four, in turns, gets an answer by button. It may be answered meanwhile, or over. */
async function pressSomeButton(
  { random, request, signal, counts, nextQuestion }: Connected,
  { id, buttons }: { id: string; buttons: string[] },
): Promise<void> {
  if (nextQuestion() % 4 > 0) return
  const index = String(random.below(buttons.length))
  await setTimeout(random.waitMs(2_000), undefined, { signal })
  const { ok } = await request('answer', { id, index })
  count(counts, ok ? 'buttons pressed' : 'buttons pressed too late')
}

/** @returns a function that opens or closes it. While it is open, somebody says one thing after another, or nothing. */
function createMicrophone({ nextOpening, replies, socket }: Connected) {
  let isOpen = false
  return async (opens: boolean): Promise<void> => {
    const opensNow = opens && !isOpen
    isOpen = opens
    if (!opensNow) return
    const words = replies[nextOpening() % (replies.length + 1)] ?? silence
    const startedAt = performance.now()
    for (let packet = 0; isOpen && socket.readyState === WebSocket.OPEN; packet++) {
      const at = packet * packetBytes
      socket.send(at < words.length ? words.subarray(at, at + packetBytes) : silence)
      await setTimeout(Math.max(0, startedAt + packet * packetMs - performance.now()))
    }
  }
}
