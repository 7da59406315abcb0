import type { DurationMeter } from './duration-meter.ts'

/** In kbit/s. Source: ISO/IEC 11172-3, 2.4.2.3, and 13818-3. */
const bitRatesV1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const bitRatesV2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const ratesHertz = [44100, 48000, 32000]

/** Reads the four-byte header of a layer III frame. @returns `undefined` if the bytes are not one. */
function readFrameHeader(word: number): { bytes: number; seconds: number } | undefined {
  if (word >>> 21 !== 0x7ff || ((word >>> 17) & 3) !== 1) return undefined
  const version = (word >>> 19) & 3
  const isV1 = version === 3
  const kilobits = (isV1 ? bitRatesV1 : bitRatesV2)[(word >>> 12) & 15]
  const baseRateHertz = ratesHertz[(word >>> 10) & 3]
  if (!kilobits || !baseRateHertz || version === 1) return undefined
  const rateHertz = isV1 ? baseRateHertz : version === 2 ? baseRateHertz / 2 : baseRateHertz / 4
  const samples = isV1 ? 1152 : 576
  const padding = (word >>> 9) & 1
  return {
    bytes: Math.floor((samples / 8) * ((kilobits * 1000) / rateHertz)) + padding,
    seconds: samples / rateHertz,
  }
}

/** Counts MP3 frames and skips other data. The bytes may be split anywhere. */
export function createMp3Meter(): DurationMeter {
  let seconds = 0
  let skip = 0
  let word = 0
  let wordBytes = 0
  return {
    push(bytes) {
      for (let index = 0; index < bytes.length; index++) {
        if (skip > 0) {
          const step = Math.min(skip, bytes.length - index)
          skip -= step
          index += step - 1
          continue
        }
        word = ((word << 8) | (bytes[index] ?? 0)) >>> 0
        if (++wordBytes < 4) continue
        const frame = readFrameHeader(word)
        if (!frame) continue
        seconds += frame.seconds
        skip = frame.bytes - 4
        wordBytes = 0
      }
    },
    get seconds() {
      return seconds
    },
  }
}
