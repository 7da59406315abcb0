import type { DurationMeter } from './incremental.ts'

/** In kbit/s, by the index in a frame header. Source: ISO/IEC 11172-3, 2.4.2.3, and 13818-3. */
const bitRatesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const bitRatesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const ratesHertz = [44100, 48000, 32000]

export const frameHeaderBytes = 4
/** The words that mark an info frame: the first for variable bit rates, the second for a constant one. */
export const infoWords = { Xing: 0x58696e67, Info: 0x496e666f } as const

export interface Mp3Frame {
  bytes: number
  samples: number
  sampleRateHertz: number
  kilobits: number
  /** Where an info frame has its marker: after the side information. */
  infoAt: number
}

/** Reads the four-byte header of a layer III frame. @returns `undefined` if the bytes are not one. */
export function readMp3Frame(word: number): Mp3Frame | undefined {
  if (word >>> 21 !== 0x7ff || ((word >>> 17) & 3) !== 1) return undefined
  const version = (word >>> 19) & 3
  const isV1 = version === 3
  const kilobits = (isV1 ? bitRatesV1 : bitRatesV2)[(word >>> 12) & 15]
  const baseRateHertz = ratesHertz[(word >>> 10) & 3]
  if (!kilobits || !baseRateHertz || version === 1) return undefined
  const sampleRateHertz = isV1
    ? baseRateHertz
    : version === 2
      ? baseRateHertz / 2
      : baseRateHertz / 4
  const samples = isV1 ? 1152 : 576
  const padding = (word >>> 9) & 1
  const isMono = ((word >>> 6) & 3) === 3
  const sideBytes = isV1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return {
    bytes: Math.floor((samples / 8) * ((kilobits * 1000) / sampleRateHertz)) + padding,
    samples,
    sampleRateHertz,
    kilobits,
    infoAt: frameHeaderBytes + sideBytes,
  }
}

/** Counts MP3 frames and skips other data, including an info frame at the start. The bytes may be split anywhere. */
export function createMp3Meter(): DurationMeter {
  let seconds = 0
  let skip = 0
  let word = 0
  let wordBytes = 0
  let isFirstFrame = true
  return {
    push(bytes) {
      for (let index = 0; index < bytes.length; index++) {
        if (skip > 0 && !isFirstFrame) {
          const step = Math.min(skip, bytes.length - index)
          skip -= step
          index += step - 1
          continue
        }
        word = ((word << 8) | (bytes[index] ?? 0)) >>> 0
        if (skip > 0) {
          skip -= 1
          isFirstFrame = skip > 0
          if (word === infoWords.Xing || word === infoWords.Info) seconds = 0
          continue
        }
        if (++wordBytes < frameHeaderBytes) continue
        const frame = readMp3Frame(word)
        if (!frame) continue
        seconds += frame.samples / frame.sampleRateHertz
        skip = frame.bytes - frameHeaderBytes
        wordBytes = 0
      }
    },
    get seconds() {
      return seconds
    },
  }
}
