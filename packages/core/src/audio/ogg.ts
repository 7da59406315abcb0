import type { DurationMeter } from './duration-meter.ts'

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
export function createOggOpusMeter(): DurationMeter {
  let endedGranules = 0
  let stream: OpusStream | undefined
  let skip = 0
  // The beginning of a page: at most its header and the start of its body.
  let held: Uint8Array = new Uint8Array()

  const readPage = (page: Buffer, bodyStart: number) => {
    const isFirst = (page[5]! & 2) !== 0
    const granules = Number(page.readBigInt64LE(6))
    const serial = page.readUInt32LE(14)
    if (isFirst) {
      if (page.toString('latin1', bodyStart, bodyStart + 8) !== 'OpusHead') return
      endedGranules += playedGranules(stream)
      stream = { serial, preSkip: page.readUInt16LE(bodyStart + 10), granules: 0 }
    } else if (stream?.serial === serial) {
      // A page in which no packet ends has the position -1.
      stream.granules = Math.max(stream.granules, granules)
    }
  }

  /** @returns where the next page may begin, or `undefined` if this page needs more bytes. */
  const passPage = (bytes: Buffer, start: number): number | undefined => {
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
      readPage(bytes.subarray(start), bodyStart - start)
    }
    return bodyStart + bodyBytes
  }

  return {
    push(chunk) {
      const jump = Math.min(skip, chunk.length)
      skip -= jump
      const bytes = Buffer.concat([held, chunk.subarray(jump)])
      let at = 0
      while (at < bytes.length) {
        const start = bytes.indexOf(capture, at)
        const next = start < 0 ? undefined : passPage(bytes, start)
        if (next === undefined) {
          const from = start < 0 ? Math.max(at, bytes.length - capture.length + 1) : start
          held = Buffer.from(bytes.subarray(from))
          return
        }
        at = next
      }
      held = new Uint8Array()
      skip += at - bytes.length
    },
    get seconds() {
      return stream && (endedGranules + playedGranules(stream)) / granulesPerSecond
    },
  }
}

function playedGranules(stream: OpusStream | undefined): number {
  return stream ? Math.max(0, stream.granules - stream.preSkip) : 0
}
