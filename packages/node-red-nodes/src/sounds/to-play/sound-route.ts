import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { NodeAPI } from 'node-red'
import { withinTime } from '../../runtime/wait.ts'
import type { Sound } from '../sound.ts'
import type { ByteRange } from './sent-bytes.ts'
import type { SoundStore, StoredSound } from './sound-store.ts'

/** An `adaptive` response waits this long for the whole sound. Players expect the first byte soon. */
const patienceMs = 100
/** The same for `file`. A sound that takes longer, or is too large to be kept, is sent as it grows. */
const filePatienceMs = 120_000

/**
 * Serves the sounds of the stores below `<httpNodeRoot>/parlando/sounds`.
 * @param maxPauseMs A player that reads nothing for this long has gone without closing its connection.
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
    const signal = AbortSignal.any([closed.signal, stored.removed])
    try {
      await untilReady(stored, signal)
      const { status, headers, range } = respondTo(request.headers.range, sound)
      response.writeHead(status, headers)
      response.flushHeaders()
      if (status === 416) return void response.end()
      const noteSent = (part: ByteRange) => stored.noteSent(part)
      await sendBody(response, sound, range, { signal, maxPauseMs, noteSent })
      // The size of a growing sound is known only now.
      response.end(() => noteSent(range ?? { start: 0, end: sound.byteLength }))
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

interface SendOptions {
  signal: AbortSignal
  maxPauseMs: number
  noteSent?(part: ByteRange): void
}

/**
 * Writes a sound, or a part of it, as fast as the other side reads.
 * @param maxPauseMs It is gone if it reads nothing for this long.
 * @param noteSent is called with each part that has left this process: a player may close the connection, and go on from there.
 */
export async function sendBody(
  response: ServerResponse,
  sound: Sound,
  range: ByteRange | undefined,
  { signal, maxPauseMs, noteSent }: SendOptions,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
  let position = 0
  for await (const chunk of sound.read(signal)) {
    const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position))
    let sentTo = Math.max(start, position)
    position += chunk.length
    for (const piece of piecesOf(part)) {
      sentTo += piece.length
      const sent = { start, end: sentTo }
      const isFull = !response.write(piece, (error) => error || noteSent?.(sent))
      if (!isFull) continue
      await withinTime(maxPauseMs, once(response, 'drain', { signal }), playerIsGone)
    }
    if (position >= end) return
  }
}

const playerIsGone = () => new Error('The player has read nothing for too long')

/** Node does not report how much of one piece has left. */
const pieceBytes = 64 * 1024

function* piecesOf(part: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes)
}

/** The start of a response, and the part of the sound that its body contains. */
export interface SoundResponse {
  status: 200 | 206 | 416
  headers: Record<string, string | number>
  /** The bytes of the body: from `start` to before `end`. Absent: the sound as it grows, to its end. */
  range?: ByteRange
}

/**
 * Decides how to respond to a player. While the sound grows, the response has no length, and ignores a `Range`: players ask
 * for `bytes=0-` and accept 200. A 206 would need the length; some players reject a 206 that they did not ask for.
 */
export function respondTo(rangeHeader: string | undefined, sound: Sound): SoundResponse {
  const headers = { 'Content-Type': sound.mediaType, 'Cache-Control': 'no-store' }
  if (!sound.isComplete) return { status: 200, headers }
  const size = sound.byteLength
  const range = readRange(rangeHeader, size)
  if (range === 'outside') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } }
  }
  const { start, end } = range ?? { start: 0, end: size }
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Accept-Ranges': 'bytes',
      'Content-Length': end - start,
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
    },
    range: { start, end },
  }
}

/** Reads the header as RFC 9110, section 14.1 defines it. Several ranges, and other units, are ignored, as it allows. */
function readRange(header = '', size: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  // Without a first byte, it asks for the last ones.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start < end ? { start, end } : 'outside'
}
