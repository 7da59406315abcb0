import type { Sound } from './sound.ts'

/** The start of a response, and the part of the sound that its body contains. */
export interface SoundResponse {
  status: 200 | 206 | 416
  headers: Record<string, string | number>
  /** The bytes of the body: from `start` to before `end`. Absent: the sound as it grows, to its end. */
  range?: { start: number; end: number }
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
function readRange(
  header = '',
  size: number,
): { start: number; end: number } | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  // Without a first byte, it asks for the last ones.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start < end ? { start, end } : 'outside'
}
