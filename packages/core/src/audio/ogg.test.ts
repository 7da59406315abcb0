import { describe, expect, it } from 'vitest'
import { createDurationMeter } from './duration.ts'

interface Page {
  body?: Buffer
  serial?: number
  granules?: number
  isFirst?: boolean
}

function page({ body = Buffer.alloc(300), serial = 7, granules = 0, isFirst = false }: Page) {
  const segments = Math.floor(body.length / 255) + 1
  const header = Buffer.alloc(27 + segments, 255)
  header.write('OggS\0', 'latin1')
  header[5] = isFirst ? 2 : 0
  header.writeBigInt64LE(BigInt(granules), 6)
  header.writeUInt32LE(serial, 14)
  header[26] = segments
  header[header.length - 1] = body.length % 255
  return Buffer.concat([header, body])
}

/** The first page of a stream: version 1, mono, with a pre-skip, encoded from 24 kHz. */
function opusHead(serial: number, preSkip: number) {
  const body = Buffer.from('OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0', 'latin1')
  body.writeUInt16LE(preSkip, 10)
  body.writeUInt32LE(24000, 12)
  return page({ body, serial, isFirst: true })
}

/** An Opus stream whose last page ends at this granule position. */
function opusStream(serial: number, preSkip: number, granules: number) {
  const tags = page({ body: Buffer.from('OpusTags'), serial })
  const middle = page({ serial, granules: Math.floor(granules / 2), body: Buffer.alloc(700, 'O') })
  const unended = page({ serial, granules: -1, body: Buffer.alloc(254) })
  return Buffer.concat([
    opusHead(serial, preSkip),
    tags,
    middle,
    unended,
    page({ serial, granules }),
  ])
}

function secondsOf(...chunks: Uint8Array[]): number | undefined {
  const meter = createDurationMeter('OGG_OPUS', 24000)
  for (const chunk of chunks) meter.push(chunk)
  return meter.seconds
}

describe('the length of Ogg Opus', () => {
  it('is the position of its last page at 48 kHz, minus the pre-skip', () => {
    expect(secondsOf(opusStream(7, 312, 48_312))).toBe(1)
  })

  it('is the same for bytes split anywhere', () => {
    const file = Buffer.concat([opusStream(1, 312, 48_312), opusStream(2, 3840, 27_840)])
    for (let cut = 0; cut <= file.length; cut++) {
      expect(secondsOf(file.subarray(0, cut), file.subarray(cut))).toBe(1.5)
    }
    expect(secondsOf(...[...file].map((byte) => Uint8Array.of(byte)))).toBe(1.5)
  })

  it('is the sum of chained streams, even with one serial number', () => {
    const piece = opusStream(7, 312, 24_312)
    expect(secondsOf(piece, piece, piece)).toBe(1.5)
  })

  it('grows with every page', () => {
    const piece = opusStream(7, 312, 48_312)
    expect(secondsOf(piece.subarray(0, 80))).toBe(0)
    expect(secondsOf(piece.subarray(0, -400))).toBeCloseTo(0.497)
  })

  it('does not include audio data that looks like a page', () => {
    const trap = page({ body: page({ granules: 48_000_000 }), granules: 24_000 })
    expect(secondsOf(opusHead(7, 0), trap)).toBe(0.5)
  })

  it('does not include pages of other streams and data between pages', () => {
    const foreign = page({ serial: 8, granules: 96_000 })
    expect(secondsOf(Buffer.from('junk'), opusStream(7, 0, 48_000), foreign)).toBe(1)
  })

  it('is unknown for other codecs and data', () => {
    expect(secondsOf(Buffer.from('OggS'))).toBeUndefined()
    expect(secondsOf(Buffer.alloc(100_000, 'OggS'))).toBeUndefined()
    const vorbis = page({ body: Buffer.from('\u0001vorbis, and more'), isFirst: true })
    expect(secondsOf(vorbis, page({ granules: 48_000 }))).toBeUndefined()
    expect(secondsOf(page({ body: Buffer.alloc(0), isFirst: true }))).toBeUndefined()
  })
})
