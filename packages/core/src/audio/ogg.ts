import type { DurationMeter } from './incremental.ts'

/** Opus in Ogg always counts at 48 kHz, at any input rate. Source: RFC 7845, 4. */
const granulesPerSecond = 48_000

// Marked as pure, so that a bundle for a browser, which has no Buffer, drops it.
const capture = /* @__PURE__ */ Buffer.from('OggS')
const fixedHeaderBytes = 27
/** The start of the first page's body, up to the pre-skip. */
const identificationBytes = 12

interface OpusStream {
  serial: number
  /** Granules at the start that a player decodes but does not play. */
  preSkip: number
  /** The highest granule position of its pages. */
  granules: number
}

/**
 * Measures Opus in Ogg by the granule positions of its pages. The bytes may be split anywhere. The lengths of chained
 * streams add up. The meter skips other data; without Opus, the length is unknown.
 */
export class OggOpusMeter implements DurationMeter {
  #endedGranules = 0
  #stream: OpusStream | undefined
  #skip = 0
  // The beginning of a page: at most its header and the start of its body.
  #held: Uint8Array = new Uint8Array()

  get seconds(): number | undefined {
    const stream = this.#stream
    return stream && (this.#endedGranules + playedGranules(stream)) / granulesPerSecond
  }

  push(chunk: Uint8Array): void {
    const jump = Math.min(this.#skip, chunk.length)
    this.#skip -= jump
    const bytes = Buffer.concat([this.#held, chunk.subarray(jump)])
    let at = 0
    while (at < bytes.length) {
      const start = bytes.indexOf(capture, at)
      const next = start < 0 ? undefined : this.#passPage(bytes, start)
      if (next === undefined) {
        const from = start < 0 ? Math.max(at, bytes.length - capture.length + 1) : start
        this.#held = Buffer.from(bytes.subarray(from))
        return
      }
      at = next
    }
    this.#held = new Uint8Array()
    this.#skip += at - bytes.length
  }

  /** @returns where the next page may begin, or `undefined` if this page needs more bytes. */
  #passPage(bytes: Buffer, start: number): number | undefined {
    const segments = bytes[start + fixedHeaderBytes - 1]
    if (segments === undefined) return undefined
    const bodyStart = start + fixedHeaderBytes + segments
    if (bytes.length < bodyStart) return undefined
    const lacing = bytes.subarray(start + fixedHeaderBytes, bodyStart)
    const bodyBytes = lacing.reduce((sum, segment) => sum + segment, 0)
    const isFirst = (bytes[start + 5]! & 2) !== 0
    const neededBytes = isFirst ? Math.min(bodyBytes, identificationBytes) : 0
    if (bytes.length < bodyStart + neededBytes) return undefined
    if (!isFirst || neededBytes === identificationBytes) {
      this.#readPage(bytes.subarray(start), bodyStart - start)
    }
    return bodyStart + bodyBytes
  }

  #readPage(page: Buffer, bodyStart: number): void {
    const isFirst = (page[5]! & 2) !== 0
    const granules = Number(page.readBigInt64LE(6))
    const serial = page.readUInt32LE(14)
    if (isFirst) {
      if (page.toString('latin1', bodyStart, bodyStart + 8) !== 'OpusHead') return
      this.#endedGranules += playedGranules(this.#stream)
      this.#stream = { serial, preSkip: page.readUInt16LE(bodyStart + 10), granules: 0 }
    } else if (this.#stream?.serial === serial) {
      // A page in which no packet ends has the position -1.
      this.#stream.granules = Math.max(this.#stream.granules, granules)
    }
  }
}

function playedGranules(stream: OpusStream | undefined): number {
  return stream ? Math.max(0, stream.granules - stream.preSkip) : 0
}

/** @returns the duration of an Opus packet in samples of 48 kHz. Source: RFC 6716, 3.1 and 3.2. */
export function packetGranules(packet: Uint8Array): number {
  const [contents, frameCount = 0] = packet
  if (contents === undefined) return 0
  const code = contents & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : frameCount & 63
  return frames * frameGranules(contents >>> 3)
}

function frameGranules(config: number): number {
  if (config < 12) return [480, 960, 1920, 2880][config & 3]!
  if (config < 16) return [480, 960][config & 1]!
  return [120, 240, 480, 960][config & 3]!
}

const polynomial = 0x04c11db7
let table: Uint32Array | undefined

/** The checksum of an Ogg page: CRC-32, most significant bit first, without inversion. Source: RFC 3533, 6. */
export function oggChecksum(page: Uint8Array): number {
  // Created on first use, so that a program without Ogg does not pay for it.
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << 24
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 0x80000000 ? (remainder << 1) ^ polynomial : remainder << 1
    }
    return remainder
  })
  let sum = 0
  for (const byte of page) sum = (sum << 8) ^ table[(sum >>> 24) ^ byte]!
  return sum >>> 0
}
