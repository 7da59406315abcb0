import { describe, expect, it } from 'vitest'
import { createAudioJoiner } from './audio-joiner.ts'
import { oggChecksum } from './ogg.ts'

interface Page {
  packets: Buffer[]
  granules?: number
  flags?: number
}

function page({ packets, granules = 0, flags = 0 }: Page): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ])
  const header = Buffer.alloc(27)
  header.write('OggS', 'latin1')
  header[5] = flags
  header.writeBigInt64LE(BigInt(granules), 6)
  header.writeUInt32LE(7, 14)
  header[26] = lacing.length
  return Buffer.concat([header, Buffer.from(lacing), ...packets])
}

// In mode 15 (CELT), frames have 20 ms: 960 granules.
const packet = (bytes: number) => Buffer.concat([Buffer.of(0xf8), Buffer.alloc(bytes - 1, 'x')])
const long = packet(600)
/** A packet that continues on the next page has only full segments on its first page. */
const [longStart, longEnd] = [long.subarray(0, 510), long.subarray(510)]
const openPage = page({ packets: [longStart], granules: -1 })
// Removes the segment that ends the packet.
const continuedPage = Buffer.concat([openPage.subarray(0, 29), openPage.subarray(30)])
continuedPage[26] = 2

/** Three packets, the last of which plays only in part. */
const piece = Buffer.concat([
  page({ packets: [Buffer.from('OpusHead, and more')], flags: 2 }),
  page({ packets: [Buffer.from('OpusTags')] }),
  page({ packets: [packet(40)], granules: 960 }),
  continuedPage,
  page({ packets: [longEnd, packet(255)], granules: 2200, flags: 5 }),
])

function joined(bytes: readonly Uint8Array[][]): Buffer {
  const joiner = createAudioJoiner('OGG_OPUS', 48_000, { isSplit: true })
  const written = bytes.flatMap((chunks, index) => [
    ...(index > 0 ? [joiner.nextPiece()] : []),
    ...chunks.map((chunk) => joiner.push(chunk)),
  ])
  return Buffer.concat([...written, joiner.end()])
}

function readPages(file: Buffer) {
  const starts = [...file.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index)
  return starts.map((start, index) => {
    const bytes = Buffer.from(file.subarray(start, starts[index + 1]))
    const checksum = bytes.readUInt32LE(22)
    bytes.writeUInt32LE(0, 22)
    expect(checksum).toBe(oggChecksum(bytes))
    return {
      flags: bytes[5],
      granules: Number(bytes.readBigInt64LE(6)),
      sequence: bytes.readUInt32LE(18),
    }
  })
}

describe('joined files of Ogg Opus', () => {
  it('are one stream, in which only the last packet plays in part', () => {
    const pages = readPages(joined([[piece], [piece]]))
    expect(pages.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(pages.map(({ flags }) => flags)).toEqual([2, 0, 0, 0, 1, 0, 0, 5])
    expect(pages.map(({ granules }) => granules)).toEqual([
      0,
      0,
      960,
      -1,
      2880,
      2880 + 960,
      -1,
      2880 + 2200,
    ])
  })

  it('are the same for bytes split anywhere', () => {
    const expected = joined([[piece], [piece]])
    for (let cut = 0; cut <= piece.length; cut++) {
      const chunks = [piece.subarray(0, cut), piece.subarray(cut)]
      expect(joined([chunks, chunks]).equals(expected)).toBe(true)
    }
  })

  it('are one stream even if a response consists of several streams', () => {
    const chained = Buffer.concat([piece, piece])
    expect(joined([[chained], [piece]])).toEqual(joined([[piece], [piece], [piece]]))
  })

  it('pass through unchanged if they are not Ogg', () => {
    const other = Buffer.alloc(400, 'mp3 ')
    expect(joined([[other.subarray(0, 100), other.subarray(100)], [other]])).toEqual(
      Buffer.concat([other, other]),
    )
  })
})
