import { readStreamInfo, streamInfoEnd } from './flac.ts'
import { HeldBytes } from './held-bytes.ts'
import type { RecordingFormat } from './recording.ts'
import { RecordingError } from './recording-error.ts'
import { findWavChunks } from './wav.ts'

/** Checks what the headers of a recording state, before a decoder trusts it: a kilobyte can state gigabytes of sound. */
export interface RecordingCheck {
  /**
   * Takes the next bytes of the recording.
   * @returns what a decoder may read now: nothing while the header is incomplete, and then all that has arrived.
   * @throws {RecordingError} if a header is implausible.
   */
  push(piece: Uint8Array): Uint8Array
  /** The recording has ended. @throws {RecordingError} within its header. */
  end(): void
}

const maxChannels = 8
const minRateHertz = 4000
const maxRateHertz = 192_000
/** A header may contain texts, and the cover of an album. */
const maxHeaderBytes = 1024 * 1024

/** Starts the check of one recording, whose first bytes show its format. */
export function createRecordingCheck(format: RecordingFormat): RecordingCheck {
  if (format === 'WAV') return checkStart(format, readWavStart)
  if (format === 'FLAC') return checkStart(format, readFlacStart)
  if (format === 'MP3') return { push: (piece) => piece, end: () => {} }
  return checkMarks()
}

/** Rejects an implausible number of channels. @throws {RecordingError} */
export function checkChannels(channels: number): void {
  if (channels > 0 && channels <= maxChannels) return
  throw new RecordingError('channels', { channels, max: maxChannels })
}

/** Rejects an implausible sample rate. @throws {RecordingError} */
export function checkSampleRate(rateHertz: number): void {
  if (Number.isInteger(rateHertz) && rateHertz >= minRateHertz && rateHertz <= maxRateHertz) return
  throw new RecordingError('rate', { rateHertz })
}

/** @param readStart returns what the decoder reads instead of the bytes so far; `undefined` if it needs more of them. */
function checkStart(
  format: RecordingFormat,
  readStart: (start: Buffer) => Uint8Array | undefined,
): RecordingCheck {
  let held: HeldBytes | undefined = new HeldBytes()
  return {
    push(piece) {
      if (!held) return piece
      held.add(piece)
      const { bytes } = held
      const start = readStart(bytes)
      if (!start && bytes.length > maxHeaderBytes)
        throw new RecordingError('endless-header', { format })
      if (start) held = undefined
      return start ?? new Uint8Array()
    },
    end() {
      if (held?.bytes.length) throw new RecordingError('damaged', { format })
    },
  }
}

/** Where a WAV file states that it is one. */
const waveEnd = 12

/** @returns the file without the chunks in front of its samples, which decoders read in different ways. */
function readWavStart(start: Buffer): Uint8Array | undefined {
  const isOther = start.length >= waveEnd && start.toString('latin1', 8, waveEnd) !== 'WAVE'
  if (isOther) throw new RecordingError('damaged', { format: 'WAV' })
  const chunks = findWavChunks(start)
  if (!chunks) return undefined
  const { format, dataOffset, dataBytes } = chunks
  checkWavFormat(format)
  const head = Buffer.from('RIFF----WAVEfmt ----', 'latin1')
  head.writeUInt32LE(format.length, 16)
  const data = Buffer.from('data----', 'latin1')
  data.writeUInt32LE(dataBytes, 4)
  return Buffer.concat([head, format, data, start.subarray(dataOffset)])
}

const extensibleTag = 0xfffe
/** ADPCM by Microsoft and IMA: four bits per sample; the header contains the number of samples per block. */
const adpcmTags = [2, 0x11]

function checkWavFormat(format: Buffer): void {
  const statedTag = format.length >= 16 ? format.readUInt16LE(0) : 0
  const isExtensible = statedTag === extensibleTag && format.length >= 26
  const tag = isExtensible ? format.readUInt16LE(24) : statedTag
  const isAdpcm = adpcmTags.includes(tag)
  if (format.length < (isAdpcm ? 20 : 16)) throw new RecordingError('header', {})
  const channels = format.readUInt16LE(2)
  checkChannels(channels)
  checkSampleRate(format.readUInt32LE(4))
  const blockBytes = format.readUInt16LE(12)
  const bitsPerSample = isAdpcm ? 4 : format.readUInt16LE(14)
  const samplesPerBlock = (isAdpcm && format.readUInt16LE(18)) || 1
  const neededBits = channels * samplesPerBlock * bitsPerSample
  if (neededBits === 0 || neededBits > blockBytes * 8) throw new RecordingError('header', {})
}

function readFlacStart(start: Buffer): Uint8Array | undefined {
  if (start.length < streamInfoEnd) return undefined
  const info = readStreamInfo(start)
  if (!info) throw new RecordingError('damaged', { format: 'FLAC' })
  checkSampleRate(info.sampleRateHertz)
  return start
}

/** A mark of the header of a codec, and the distance from its start to the number of channels. */
const marks = [
  { mark: Buffer.from('OpusHead'), channelsAt: 9 },
  { mark: Buffer.from('\x01vorbis'), channelsAt: 11 },
]
const maxMarkedBytes = 12

/**
 * Finds the headers of Opus and Vorbis by their marks, anywhere in the file: streams of Ogg can follow one another, and
 * decoders of WebM find them at more than one place. In sound, eight such bytes do not occur by chance.
 */
function checkMarks(): RecordingCheck {
  let before: Uint8Array = new Uint8Array()
  return {
    push(piece) {
      const bytes = Buffer.concat([before, piece])
      for (const { mark, channelsAt } of marks) {
        for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
          const channels = bytes[at + channelsAt]
          if (channels !== undefined) checkChannels(channels)
        }
      }
      before = bytes.subarray(Math.max(0, bytes.length - maxMarkedBytes + 1))
      return piece
    },
    end: () => {},
  }
}
