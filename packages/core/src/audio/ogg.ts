import type { DurationMeter } from './duration.ts'

/** The clock of Opus in Ogg, whatever the rate of what was encoded. Source: RFC 7845, 4. */
const granulesPerSecond = 48_000

// Pure: a bundle for a browser, where there is no Buffer, leaves it out.
const capture = /* @__PURE__ */ Buffer.from('OggS')
const fixedHeaderBytes = 27
/** As much of the first page's body as holds the pre-skip. */
const identificationBytes = 12

interface OpusStream {
  serial: number
  /** Granules at the start that are decoded but not heard. */
  preSkip: number
  /** The highest position that a page of it gave. */
  granules: number
}

/**
 * Counts Opus in Ogg by the positions of its pages, in bytes that may be cut anywhere. Streams chained one after the
 * other add up. What is no page is passed over; without Opus in it the length is not known.
 */
export function createOggOpusMeter(): DurationMeter {
  let endedGranules = 0
  let stream: OpusStream | undefined
  let skip = 0
  // The beginning of a page, never more than its header and the start of its body.
  let held: Uint8Array = new Uint8Array()

  const readPage = (page: Buffer, bodyStart: number) => {
    const isFirst = (page[5]! & 2) !== 0
    const granules = Number(page.readBigInt64LE(6))
    const serial = page.readUInt32LE(14)
    if (isFirst) {
      if (page.toString('latin1', bodyStart, bodyStart + 8) !== 'OpusHead') return
      endedGranules += heardGranules(stream)
      stream = { serial, preSkip: page.readUInt16LE(bodyStart + 10), granules: 0 }
    } else if (stream?.serial === serial) {
      // A page in which no packet ends says -1.
      stream.granules = Math.max(stream.granules, granules)
    }
  }

  /** @returns where the next page may begin, and `undefined` when this one needs more bytes. */
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
      return stream && (endedGranules + heardGranules(stream)) / granulesPerSecond
    },
  }
}

function heardGranules(stream: OpusStream | undefined): number {
  return stream ? Math.max(0, stream.granules - stream.preSkip) : 0
}
