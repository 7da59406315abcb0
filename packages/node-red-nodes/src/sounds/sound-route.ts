import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { NodeAPI } from 'node-red'
import type { Sound } from './sound.ts'
import { respondTo } from './sound-response.ts'
import type { SoundStore, StoredSound } from './sound-store.ts'

/** An `adaptive` response waits this long for the whole sound. Players expect the first byte soon. */
const patienceMs = 100
/** The same for `file`. A sound that takes longer, or is too large to be kept, is sent as it grows. */
const filePatienceMs = 120_000

/**
 * Serves the sounds of the stores below `<httpNodeRoot>/parlando/sounds`.
 * @param maxPauseMs A player that reads nothing for so long has gone without closing its connection.
 */
export function addSoundRoute(
  RED: NodeAPI,
  stores: Iterable<SoundStore>,
  maxPauseMs = 60_000,
): void {
  // Also for HEAD: Express uses the handler of GET.
  RED.httpNode.get('/parlando/sounds/:fileName', async (request, response, next) => {
    const stored = find(stores, request.params['fileName'] ?? '')
    // The sound may be in a store of another node.
    if (!stored) return next()
    const { sound } = stored
    if (request.method === 'HEAD') {
      const { status, headers } = respondTo(undefined, sound)
      return void response.writeHead(status, headers).end()
    }
    stored.noteFetch()
    const closed = new AbortController()
    response.on('close', () => closed.abort())
    try {
      await untilReady(stored, closed.signal)
      const { status, headers, range } = respondTo(request.headers.range, sound)
      response.writeHead(status, headers)
      response.flushHeaders()
      if (status !== 416)
        await sendBody(response, sound, range, { signal: closed.signal, maxPauseMs })
      const isWhole = status !== 416 && (!range || range.end === sound.byteLength)
      response.end(() => isWhole && stored.noteSent())
    } catch {
      // The player is gone, or the sound failed. A response that ends properly would pass for the whole sound.
      if (response.headersSent) response.destroy()
      else
        response.writeHead(502, { 'Content-Type': 'text/plain' }).end('The sound could not be made')
    }
  })
}

function find(stores: Iterable<SoundStore>, fileName: string): StoredSound | undefined {
  for (const store of stores) {
    const stored = store.find(fileName)
    if (stored) return stored
  }
  return undefined
}

/** Waits for the whole sound, as long as its response form asks for. @throws the error of a sound that fails meanwhile. */
async function untilReady({ sound, response }: StoredSound, signal: AbortSignal): Promise<void> {
  if (sound.isComplete || response === 'chunked') return
  const waitMs = response === 'file' ? filePatienceMs : patienceMs
  const waiting = new AbortController()
  const options = { signal: AbortSignal.any([signal, waiting.signal]) }
  try {
    await Promise.race([sound.completed, delay(waitMs, undefined, options)])
  } finally {
    waiting.abort()
  }
}

async function sendBody(
  response: ServerResponse,
  sound: Sound,
  range: { start: number; end: number } | undefined,
  { signal, maxPauseMs }: { signal: AbortSignal; maxPauseMs: number },
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
  let position = 0
  for await (const chunk of sound.read(signal)) {
    const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position))
    position += chunk.length
    if (part.length > 0 && !response.write(part)) await drained(response, signal, maxPauseMs)
    if (position >= end) return
  }
}

async function drained(
  response: ServerResponse,
  signal: AbortSignal,
  maxPauseMs: number,
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(maxPauseMs)])
  await once(response, 'drain', { signal: patience })
}
