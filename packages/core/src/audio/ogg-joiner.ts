import { HeldBytes } from './held-bytes.ts'
import type { FileJoiner } from './incremental.ts'
import { oggChecksum, packetGranules } from './ogg.ts'

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
export class OggOpusJoiner implements FileJoiner {
  #isOgg = true
  readonly #held = new HeldBytes()
  #serial: number | undefined
  #sequence = 0
  /** The granules of the earlier pieces. */
  #earlierGranules = 0
  // Of the current piece:
  #isFirstPiece = true
  #headersLeft = headerPackets
  #granules = 0
  #isNewPacket = true
  #packetDuration = 0
  #lastPage: Buffer | undefined

  push(chunk: Uint8Array): Uint8Array {
    if (!this.#isOgg) return chunk
    this.#held.add(chunk)
    const { bytes } = this.#held
    const written: Uint8Array[] = []
    let at = 0
    while (at + capture.length <= bytes.length) {
      if (bytes.toString('latin1', at, at + capture.length) !== capture) {
        this.#isOgg = false
        this.#held.take()
        return Buffer.concat([...written, bytes.subarray(at)])
      }
      const size = pageSize(bytes, at)
      if (!size) break
      const page = Buffer.from(bytes.subarray(at, at + size.bytes))
      at += size.bytes
      // A response may also consist of several streams.
      if (this.#headersLeft <= 0 && page[flagsAt]! & beginFlag) written.push(this.#startPiece())
      const taken =
        this.#headersLeft > 0
          ? this.#takeHeader(page, page.subarray(fixedHeaderBytes, size.bodyStart))
          : this.#takeAudio(page, size.bodyStart)
      if (taken) written.push(taken)
    }
    this.#held.drop(at)
    return Buffer.concat(written)
  }

  nextPiece(): Uint8Array {
    this.#held.take()
    return this.#startPiece()
  }

  end(): Uint8Array {
    const page = this.#lastPage
    if (!page) return this.#held.bytes
    const played = Math.min(this.#granules, Number(page.readBigInt64LE(granulesAt)))
    page.writeBigInt64LE(BigInt(this.#earlierGranules + played), granulesAt)
    return this.#write(page)
  }

  /** @returns the last page of the piece that ends. */
  #startPiece(): Uint8Array {
    const page = this.#lastPage
    if (page) {
      page[flagsAt] = page[flagsAt]! & ~endFlag
      page.writeBigInt64LE(BigInt(this.#earlierGranules + this.#granules), granulesAt)
    }
    this.#earlierGranules += this.#granules
    this.#isFirstPiece = false
    this.#headersLeft = headerPackets
    this.#granules = 0
    this.#isNewPacket = true
    this.#lastPage = undefined
    return page ? this.#write(page) : new Uint8Array()
  }

  #takeHeader(page: Buffer, lacing: Uint8Array): Buffer | undefined {
    this.#headersLeft -= lacing.filter((segment) => segment < fullSegment).length
    this.#serial ??= page.readUInt32LE(serialAt)
    return this.#isFirstPiece ? this.#write(page) : undefined
  }

  /** @returns the page to write now, if any. */
  #takeAudio(page: Buffer, bodyStart: number): Buffer | undefined {
    const lacing = page.subarray(fixedHeaderBytes, bodyStart)
    const hasEnd = this.#countPackets(lacing, page.subarray(bodyStart))
    if (page[flagsAt]! & endFlag) {
      this.#lastPage = page
      return undefined
    }
    const position = hasEnd ? BigInt(this.#earlierGranules + this.#granules) : noPosition
    page.writeBigInt64LE(position, granulesAt)
    return this.#write(page)
  }

  /** Adds the packets that end on the page. @returns whether there are any. */
  #countPackets(lacing: Uint8Array, body: Uint8Array): boolean {
    let at = 0
    let hasEnd = false
    for (const segment of lacing) {
      if (this.#isNewPacket) this.#packetDuration = packetGranules(body.subarray(at))
      at += segment
      this.#isNewPacket = segment < fullSegment
      if (this.#isNewPacket) this.#granules += this.#packetDuration
      hasEnd ||= this.#isNewPacket
    }
    return hasEnd
  }

  #write(page: Buffer): Buffer {
    page.writeUInt32LE(this.#serial!, serialAt)
    page.writeUInt32LE(this.#sequence++, sequenceAt)
    page.writeUInt32LE(0, checksumAt)
    page.writeUInt32LE(oggChecksum(page), checksumAt)
    return page
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
