import type { DurationMeter } from './incremental.ts'

/** The marker and the first metadata block, STREAMINFO. Source: RFC 9639, 8.1 and 8.2. */
export const streamInfoEnd = 42
/** Sync code, two bytes of flags, a number of up to 7 bytes, block size, sample rate and CRC. */
export const maxHeaderBytes = 16

export interface StreamInfo {
  sampleRateHertz: number
  blockSamples: number
}

export interface FlacFrame {
  /** Number of samples before this frame. */
  start: number
  samples: number
  /** Offsets in bytes: the end of the coded number, and of the header with its CRC. */
  numberEnd: number
  headerEnd: number
}

/**
 * Counts the frames of a FLAC stream. Its bytes may be split anywhere. The header does not contain the length of a stream,
 * so the meter ignores it. Other data has no length.
 */
export function createFlacMeter(): DurationMeter {
  let info: StreamInfo | undefined
  let isOther = false
  let samples = 0
  let held: Uint8Array = new Uint8Array()

  const passFrames = (bytes: Buffer, from: number, { blockSamples }: StreamInfo): number => {
    for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      const frame = readFrameHeader(bytes, at, blockSamples)
      // An 8-bit CRC sometimes matches by chance. A frame that also continues the last one is real.
      if (frame?.start === samples) samples += frame.samples
      else if (at + maxHeaderBytes > bytes.length) return at
    }
    return bytes.length
  }

  return {
    push(chunk) {
      if (isOther) return
      const bytes = Buffer.concat([held, chunk])
      let passed = 0
      if (!info && bytes.length >= streamInfoEnd) {
        info = readStreamInfo(bytes)
        isOther = !info
        passed = streamInfoEnd
      }
      if (info) passed = passFrames(bytes, passed, info)
      held = isOther ? new Uint8Array() : Buffer.from(bytes.subarray(passed))
    },
    get seconds() {
      return info && samples / info.sampleRateHertz
    },
  }
}

/** Writes the number of samples into the header of a FLAC file if the header leaves it unset. */
export function completeFlac(file: Uint8Array): Uint8Array {
  if (file.length < streamInfoEnd) return file
  const completed = Buffer.from(file)
  const info = readStreamInfo(completed)
  // The number has 36 bits. The 4 bits before it contain a part of the sample size.
  const isUnset = (completed[21]! & 15) === 0 && completed.readUInt32BE(22) === 0
  if (!info || !isUnset) return file
  const meter = createFlacMeter()
  meter.push(completed)
  const samples = Math.round((meter.seconds ?? 0) * info.sampleRateHertz)
  completed[21] = completed[21]! | Math.floor(samples / 2 ** 32)
  completed.writeUInt32BE(samples % 2 ** 32, 22)
  return completed
}

/** @returns `undefined` if the bytes do not start with a FLAC header. */
export function readStreamInfo(bytes: Buffer): StreamInfo | undefined {
  const sampleRateHertz = bytes.readUIntBE(18, 3) >>> 4
  const isFlac = bytes.toString('latin1', 0, 4) === 'fLaC' && (bytes[4]! & 0x7f) === 0
  return isFlac && sampleRateHertz > 0
    ? { sampleRateHertz, blockSamples: bytes.readUInt16BE(8) }
    : undefined
}

/**
 * @param blockSamples the samples of every frame but the last, in a stream with a fixed block size.
 * @returns `undefined` if no frame begins at `at`.
 */
export function readFrameHeader(
  bytes: Buffer,
  at: number,
  blockSamples: number,
): FlacFrame | undefined {
  const isFixed = bytes[at + 1] === 0xf8
  if (!isFixed && bytes[at + 1] !== 0xf9) return undefined
  const number = readNumber(bytes, at + 4)
  if (!number) return undefined
  const sizeCode = bytes[at + 2]! >>> 4
  const rateCode = bytes[at + 2]! & 15
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  const checkAt = number.end + sizeBytes + rateBytes
  const isWhole = checkAt < bytes.length
  if (!isWhole || headerChecksum(bytes.subarray(at, checkAt)) !== bytes[checkAt]) return undefined
  const samples =
    sizeBytes > 0 ? bytes.readUIntBE(number.end, sizeBytes) + 1 : samplesOfCode(sizeCode)
  return {
    start: isFixed ? number.value * blockSamples : number.value,
    samples,
    numberEnd: number.end,
    headerEnd: checkAt + 1,
  }
}

function samplesOfCode(code: number): number {
  if (code === 1) return 192
  return code < 6 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8)
}

/** Reads a number in the UTF-8 coding of FLAC, which has up to 36 bits. Source: RFC 9639, 9.1.5. */
function readNumber(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  const first = bytes[at]!
  const ones = Math.clz32(~(first << 24))
  if (ones === 1 || ones > 7) return undefined
  const end = at + Math.max(1, ones)
  let value = ones === 0 ? first : first & (0x7f >> ones)
  for (const byte of bytes.subarray(at + 1, end)) value = value * 64 + (byte & 0x3f)
  return { value, end }
}

/** CRC-8 with the polynomial 0x07. Source: RFC 9639, 9.1.8. */
export function headerChecksum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff
  }
  return sum
}
