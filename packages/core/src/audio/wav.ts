/** What stands in the header of a WAV file. */
export interface WavHeader {
  /** `undefined` where the header states an impossible rate. */
  sampleRateHertz: number | undefined
  channels: number
  bitsPerSample: number
  /** Where the samples begin, in bytes from the start of the file. */
  dataOffset: number
  /** Length of the samples as the header says it; wrong or huge where the header was written before they were known. */
  dataBytes: number
}

/**
 * The length a header carries while nobody knows yet how long the audio will be. Of the values in use this is the one
 * that SoX takes for "unknown" and that ffmpeg and browsers read to the end of the file (tried 2026-11).
 */
export const unknownDataBytes = 0x7ffff000

const headerBytes = 44
const highestRateHertz = 768_000

/**
 * Writes the header of a WAV file with 16-bit mono PCM.
 * @param options.dataBytes length of the samples in bytes. Default: unknown, as in a stream.
 */
export function writeWavHeader(options: {
  sampleRateHertz: number
  dataBytes?: number
}): Uint8Array {
  const { sampleRateHertz, dataBytes = unknownDataBytes } = options
  const header = Buffer.alloc(headerBytes)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(dataBytes + 36, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRateHertz, 24)
  header.writeUInt32LE(sampleRateHertz * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/**
 * Reads the header of a WAV file, wherever its `data` begins.
 * @returns `undefined` when the bytes do not start with a complete WAV header.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | undefined {
  // First, because streams call this for every chunk and a view costs more than the comparison.
  if (!startsWithRiff(bytes) || bytes.length < 12) return undefined
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: Pick<WavHeader, 'sampleRateHertz' | 'channels' | 'bitsPerSample'> | undefined
  for (let offset = 12; offset + 8 <= view.length; ) {
    const id = view.toString('latin1', offset, offset + 4)
    const size = view.readUInt32LE(offset + 4)
    const body = offset + 8
    if (id === 'data') {
      return format && { ...format, dataOffset: body, dataBytes: size }
    }
    if (id === 'fmt ' && body + 16 <= view.length) {
      format = {
        channels: view.readUInt16LE(body + 2),
        sampleRateHertz: readRate(view, body + 4),
        bitsPerSample: view.readUInt16LE(body + 14),
      }
    }
    offset = body + size + (size % 2)
  }
  return undefined
}

function readRate(view: Buffer, offset: number): number | undefined {
  const rateHertz = view.readUInt32LE(offset)
  return rateHertz > 0 && rateHertz <= highestRateHertz ? rateHertz : undefined
}

/** True where the bytes start as a WAV file does. */
export function startsWithRiff(bytes: Uint8Array): boolean {
  return bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[2] === 0x46 && bytes[3] === 0x46
}

/** Writes the true length into the header of a WAV file that was made as a stream. Other files pass unchanged. */
export function correctWavLength(file: Uint8Array): Uint8Array {
  const header = readWavHeader(file)
  if (!header) return file
  const corrected = Buffer.from(file)
  corrected.writeUInt32LE(file.length - 8, 4)
  corrected.writeUInt32LE(file.length - header.dataOffset, header.dataOffset - 4)
  return corrected
}
