import { describe, expect, it } from 'vitest'
import { createOggPages } from './ogg-writer.ts'

const packet = (length: number, granulePosition = 0) => ({
  bytes: new Uint8Array(length).fill(7),
  granulePosition,
})

describe('createOggPages', () => {
  it('writes the standard page for a packet', () => {
    // The checksum was computed bit by bit, as RFC 3533 defines it.
    const page = createOggPages(1).write([{ bytes: Buffer.from('hello'), granulePosition: 960 }])
    expect(Buffer.from(page).toString('hex')).toBe(
      '4f6767530002c00300000000000001000000000000009fcbba51010568656c6c6f',
    )
  })

  it('numbers pages and marks the first and the last', () => {
    const pages = createOggPages(1)
    const all = [pages.write([packet(1)]), pages.write([packet(1)]), pages.write([packet(1)], true)]
    const read = all.map((page) => [page[5], Buffer.from(page).readUInt32LE(18)])
    expect(read).toEqual([
      [2, 0],
      [0, 1],
      [4, 2],
    ])
  })

  it('ends a packet of full segments with an empty segment', () => {
    const page = createOggPages(1).write([packet(255), packet(510)])
    expect([...page.subarray(26, 32)]).toEqual([5, 255, 0, 255, 255, 0])
  })

  it('starts a page when the last one is full, each with the position of its last packet', () => {
    const packets = Array.from({ length: 100 }, (_, index) => packet(700, index))
    const bytes = Buffer.from(createOggPages(1).write(packets, true))
    const starts = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index)
    expect(starts.map((start) => bytes.readUInt8(start + 5))).toEqual([2, 4])
    expect(starts.map((start) => Number(bytes.readBigUInt64LE(start + 6)))).toEqual([84, 99])
  })
})
