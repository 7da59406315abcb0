import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface OpenedUrl {
  /** Whether the body begins at the requested byte. Otherwise, it begins at 0. */
  isRest: boolean
  /** The size of the whole file, if the server states it. */
  totalBytes?: number
  body: AsyncIterable<Uint8Array>
  /** Ends the connection early. */
  close(): Promise<void>
}

const maxRedirects = 5
const redirectStatuses = [301, 302, 303, 307, 308]

/**
 * Opens a file at an `https:`, `http:` or `file:` URL. `https:` is never redirected to `http:`.
 * @param start the first byte to read.
 * @throws {Error} with a reason without the URL.
 */
export async function openUrl(url: string, start: number, signal: AbortSignal): Promise<OpenedUrl> {
  if (url.startsWith('file:')) return openFile(fileURLToPath(url), start)
  const response = await followRedirects(url, start, signal)
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new Error(`the server responds with ${response.status}`)
  }
  const isRest = response.status === 206
  const [, first, total] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (isRest && Number(first) !== start) {
    await response.body.cancel()
    throw new Error('the server sends another part of the file')
  }
  const length = isRest ? total : response.headers.get('content-length')
  const { body } = response
  // The types are those of browsers, which lack the iterator.
  const chunks = body as object as AsyncIterable<Uint8Array>
  const totalBytes = length ? Number(length) : undefined
  return { isRest, totalBytes, body: chunks, close: () => body.cancel() }
}

async function openFile(path: string, start: number): Promise<OpenedUrl> {
  const { size } = await stat(path)
  const body = createReadStream(path, { start })
  return { isRest: true, totalBytes: size, body, close: async () => void body.destroy() }
}

async function followRedirects(
  first: string,
  start: number,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  if (start > 0) headers['range'] = `bytes=${start}-`
  let url = new URL(first)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (!redirectStatuses.includes(response.status) || !location) return response
    await response.body?.cancel()
    url = redirectTarget(url, location)
  }
  throw new Error(`the server redirects more than ${maxRedirects} times`)
}

/** @throws {Error} if the target is less safe than the address that redirects there. */
export function redirectTarget(url: URL, location: string): URL {
  const target = new URL(location, url)
  const isSafe =
    target.protocol === 'https:' || (url.protocol === 'http:' && target.protocol === 'http:')
  if (!isSafe) throw new Error(`the server redirects to ${target.protocol}, which is not safe`)
  return target
}
