import type { FileJoiner } from './file-joiner.ts'
import { oggChecksum } from './ogg-checksum.ts'
import { packetGranules } from './opus-packet.ts'

// The layout of a page. Source: RFC 3533, 6.
const capture = 'OggS'
const fixedHeaderBytes = 27
const flagsAt = 5
const granulesAt = 6
const serialAt = 14
const sequenceAt = 18
const checksumAt = 22
const beginFlag = 2
const endFlag = 4
const fullSegment = 255
/** The position of a page on which no packet ends. */
const noPosition = -1n
/** `OpusHead` and `OpusTags`, which fill pages of their own. Source: RFC 7845, 3. */
const headerPackets = 2

/**
 * Joins files of Ogg Opus into one logical stream: the first two headers, one serial number, and page numbers and granule
 * positions that continue.
 *
 * Only the last page of a stream may cut off the end of its last packet (RFC 7845, 4.4). In all other pieces, that packet
 * therefore plays in full, up to 20 ms longer. The last page of each piece waits until the next piece starts or the
 * stream ends. Bytes that are not Ogg pass through unchanged.
 */
export function createOggOpusJoiner(): FileJoiner {
  let isOgg = true
  let held: Buffer = Buffer.alloc(0)
  let serial: number | undefined
  let sequence = 0
  /** The granules of the earlier pieces. */
  let earlierGranules = 0
  // Of the current piece:
  let isFirstPiece = true
  let headersLeft = headerPackets
  let granules = 0
  let isNewPacket = true
  let packetDuration = 0
  let lastPage: Buffer | undefined

  const write = (page: Buffer): Buffer => {
    page.writeUInt32LE(serial!, serialAt)
    page.writeUInt32LE(sequence++, sequenceAt)
    page.writeUInt32LE(0, checksumAt)
    page.writeUInt32LE(oggChecksum(page), checksumAt)
    return page
  }

  /** Adds the packets that end on the page. @returns whether there are any. */
  const countPackets = (lacing: Uint8Array, body: Uint8Array): boolean => {
    let at = 0
    let hasEnd = false
    for (const segment of lacing) {
      if (isNewPacket) packetDuration = packetGranules(body.subarray(at))
      at += segment
      isNewPacket = segment < fullSegment
      if (isNewPacket) granules += packetDuration
      hasEnd ||= isNewPacket
    }
    return hasEnd
  }

  const takeHeader = (page: Buffer, lacing: Uint8Array): Buffer | undefined => {
    headersLeft -= lacing.filter((segment) => segment < fullSegment).length
    serial ??= page.readUInt32LE(serialAt)
    return isFirstPiece ? write(page) : undefined
  }

  /** @returns the page to write now, if any. */
  const takeAudio = (page: Buffer, bodyStart: number): Buffer | undefined => {
    const lacing = page.subarray(fixedHeaderBytes, bodyStart)
    const hasEnd = countPackets(lacing, page.subarray(bodyStart))
    if (page[flagsAt]! & endFlag) {
      lastPage = page
      return undefined
    }
    page.writeBigInt64LE(hasEnd ? BigInt(earlierGranules + granules) : noPosition, granulesAt)
    return write(page)
  }

  /** @returns the last page of the piece that ends. */
  const startPiece = (): Uint8Array => {
    const page = lastPage
    if (page) {
      page[flagsAt] = page[flagsAt]! & ~endFlag
      page.writeBigInt64LE(BigInt(earlierGranules + granules), granulesAt)
    }
    earlierGranules += granules
    isFirstPiece = false
    headersLeft = headerPackets
    granules = 0
    isNewPacket = true
    lastPage = undefined
    return page ? write(page) : new Uint8Array()
  }

  return {
    push(chunk) {
      if (!isOgg) return chunk
      const bytes = Buffer.concat([held, chunk])
      const written: Uint8Array[] = []
      let at = 0
      while (at + capture.length <= bytes.length) {
        if (bytes.toString('latin1', at, at + capture.length) !== capture) {
          isOgg = false
          held = Buffer.alloc(0)
          return Buffer.concat([...written, bytes.subarray(at)])
        }
        const size = pageSize(bytes, at)
        if (!size) break
        const page = Buffer.from(bytes.subarray(at, at + size.bytes))
        at += size.bytes
        // A response may also consist of several streams.
        if (headersLeft <= 0 && page[flagsAt]! & beginFlag) written.push(startPiece())
        const taken =
          headersLeft > 0
            ? takeHeader(page, page.subarray(fixedHeaderBytes, size.bodyStart))
            : takeAudio(page, size.bodyStart)
        if (taken) written.push(taken)
      }
      held = Buffer.from(bytes.subarray(at))
      return Buffer.concat(written)
    },
    nextPiece() {
      held = Buffer.alloc(0)
      return startPiece()
    },
    end() {
      if (!lastPage) return held
      const played = Math.min(granules, Number(lastPage.readBigInt64LE(granulesAt)))
      lastPage.writeBigInt64LE(BigInt(earlierGranules + played), granulesAt)
      return write(lastPage)
    },
  }
}

/** @returns `undefined` if the page that starts at `at` is not complete. */
function pageSize(bytes: Buffer, at: number): { bytes: number; bodyStart: number } | undefined {
  const segments = bytes[at + fixedHeaderBytes - 1]
  if (segments === undefined) return undefined
  const bodyStart = fixedHeaderBytes + segments
  const lacing = bytes.subarray(at + fixedHeaderBytes, at + bodyStart)
  const size = lacing.reduce((sum, segment) => sum + segment, bodyStart)
  return bytes.length < at + size || lacing.length < segments
    ? undefined
    : { bytes: size, bodyStart }
}
