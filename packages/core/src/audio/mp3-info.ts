import { frameHeaderBytes, infoWords, type Mp3Frame, readMp3Frame } from './mp3.ts'

// An info frame is a silent frame that describes the file. Sources: "Xing Variable Bitrate MP3 Playback" (the Xing header
// SDK, 1999) and "Mp3 Info Tag rev 1" of LAME.
const hasAllFields = 15
const seekPoints = 100
/** The marker, the flags, the number of frames, the number of bytes, the seek points and the quality. */
const xingBytes = 4 + 4 + 4 + 4 + seekPoints + 4
const lameBytes = 36
const lameVersionBytes = 9
/** LAME delays the sound by this many samples. Players add 529 samples, the delay of every decoder. */
const lameDelaySamples = 576
export const id3HeaderBytes = 10

/**
 * Adds an info frame to an MP3 file without one, so that players show the length and can seek. If the frames have the
 * signature of LAME, the info frame also states the delay at the start, and players skip it: 23 ms at 48 kHz, 69 ms at
 * 16 kHz. Other files are returned unchanged.
 */
export function completeMp3(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const start = id3Bytes(bytes)
  const first = frameAt(bytes, start)
  if (!first) return file
  const isInfo = isInfoFrame(bytes.subarray(start), first)
  // An encoder that writes into a pipe leaves the number of frames unset.
  if (isInfo && bytes.readUInt32BE(start + first.infoAt + 8) > 0) return file
  const audio = bytes.subarray(start + (isInfo ? first.bytes : 0))
  const frames = findFrames(audio)
  if (!frames[0]) return file
  return Buffer.concat([bytes.subarray(0, start), writeInfoFrame(audio, frames), audio])
}

/** @returns the size of the ID3 tag at the start, possibly larger than `bytes`; 0 without a tag. Source: ID3v2.4.0, 3.1. */
export function id3Bytes(bytes: Buffer): number {
  if (bytes.length < id3HeaderBytes || bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  return id3HeaderBytes + size
}

/** Whether a frame, at the start of `bytes`, contains a description of the file instead of sound. */
export function isInfoFrame(bytes: Buffer, { infoAt }: Mp3Frame): boolean {
  if (bytes.length < infoAt + 12) return false
  const word = bytes.readUInt32BE(infoAt)
  return word === infoWords.Xing || word === infoWords.Info
}

interface FoundFrame extends Mp3Frame {
  at: number
}

function frameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
  return at + frameHeaderBytes <= bytes.length ? readMp3Frame(bytes.readUInt32BE(at)) : undefined
}

function findFrames(bytes: Buffer): FoundFrame[] {
  const frames: FoundFrame[] = []
  for (let at = 0; at < bytes.length; ) {
    const frame = frameAt(bytes, at)
    if (frame) frames.push({ ...frame, at })
    at += frame?.bytes ?? 1
  }
  return frames
}

function writeInfoFrame(audio: Buffer, frames: readonly FoundFrame[]): Buffer {
  const isConstant = frames.every(({ kilobits }) => kilobits === frames[0]!.kilobits)
  const { header, bytes, infoAt } = infoFrameHeader(audio.readUInt32BE(frames[0]!.at))
  const frame = Buffer.alloc(bytes)
  const fileBytes = bytes + audio.length
  frame.writeUInt32BE(header, 0)
  frame.writeUInt32BE(isConstant ? infoWords.Info : infoWords.Xing, infoAt)
  frame.writeUInt32BE(hasAllFields, infoAt + 4)
  frame.writeUInt32BE(frames.length, infoAt + 8)
  frame.writeUInt32BE(fileBytes, infoAt + 12)
  for (let point = 0; point < seekPoints; point++) {
    const { at } = frames[Math.floor((point * frames.length) / seekPoints)]!
    frame[infoAt + 16 + point] = Math.floor(((bytes + at) * 256) / fileBytes)
  }
  const signature = audio.indexOf('LAME3.')
  if (signature < 0) return frame
  const lameAt = infoAt + xingBytes
  audio.copy(frame, lameAt, signature, signature + lameVersionBytes)
  frame[lameAt + 9] = isConstant ? 1 : 0
  frame[lameAt + 20] = Math.min(255, frames[0]!.kilobits)
  // The 12 bits after the delay are the padding at the end, which is unknown: 0.
  frame.writeUIntBE(lameDelaySamples << 12, lameAt + 21, 3)
  frame.writeUInt32BE(fileBytes, lameAt + 28)
  frame.writeUInt16BE(checksum(audio), lameAt + 32)
  frame.writeUInt16BE(checksum(frame.subarray(0, lameAt + 34)), lameAt + 34)
  return frame
}

/** The header of a frame like another one, at the lowest bit rate at which the description fits. */
function infoFrameHeader(other: number): { header: number; bytes: number; infoAt: number } {
  // Without padding and without a CRC. The bit rate has 4 bits; its highest value is invalid.
  const base = ((other & ~0xf200) | 0x10000) >>> 0
  for (let rate = 1; rate < 15; rate++) {
    const header = (base | (rate << 12)) >>> 0
    const { bytes, infoAt } = readMp3Frame(header)!
    if (bytes >= infoAt + xingBytes + lameBytes) return { header, bytes, infoAt }
  }
  throw new RangeError('Every MP3 frame at the highest bit rate has room for an info frame')
}

let table: Uint16Array | undefined

/** CRC-16 with the polynomial 0x8005, least significant bit first. */
function checksum(bytes: Uint8Array): number {
  table ??= Uint16Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 1 ? (remainder >>> 1) ^ 0xa001 : remainder >>> 1
    }
    return remainder
  })
  let sum = 0
  for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 0xff]!
  return sum
}
