/** The content of a WAV header. */
export interface WavHeader {
  /** `undefined` if the header states an impossible rate. */
  sampleRateHertz: number | undefined
  channels: number
  bitsPerSample: number
  /** Start of the samples, in bytes from the start of the file. */
  dataOffset: number
  /** Length of the samples in bytes, as stated; 0 or huge if the header was written before the length was known. */
  dataBytes: number
}

/**
 * The length in the header of a stream, whose length is not yet known. SoX reads this value as "unknown"; ffmpeg and
 * browsers read to the end of the file (tested 2026-11).
 */
export const unknownDataBytes = 0x7ffff000

const headerBytes = 44
/** The longest known one, of ADPCM, has 50. */
const maxFormatBytes = 4096
/** In front of the samples. Usual are two to five. */
const maxChunks = 1000
const maxRateHertz = 768_000

/**
 * Writes the header of a WAV file with 16-bit PCM.
 * @param options.channels default 1.
 * @param options.dataBytes length of the samples in bytes. Default: unknown, as in a stream.
 */
export function writeWavHeader(options: {
  sampleRateHertz: number
  channels?: number
  dataBytes?: number
}): Uint8Array {
  const { sampleRateHertz, channels = 1, dataBytes = unknownDataBytes } = options
  const blockBytes = channels * 2
  const header = Buffer.alloc(headerBytes)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(dataBytes + 36, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRateHertz, 24)
  header.writeUInt32LE(sampleRateHertz * blockBytes, 28)
  header.writeUInt16LE(blockBytes, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/**
 * Reads the header of a WAV file, up to its `data` chunk.
 * @returns `undefined` if the bytes do not start with a complete WAV header.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | undefined {
  // First, because streams call this for every chunk and a view costs more than the comparison.
  if (!startsWithRiff(bytes) || bytes.length < 12) return undefined
  const chunks = findWavChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!chunks || chunks.format.length < 16) return undefined
  const { format, dataOffset, dataBytes } = chunks
  return {
    channels: format.readUInt16LE(2),
    sampleRateHertz: readRate(format, 4),
    bitsPerSample: format.readUInt16LE(14),
    dataOffset,
    dataBytes,
  }
}

/** The chunks of a WAV file that matter to a decoder. */
export interface WavChunks {
  /** The content of the `fmt ` chunk; empty without one. */
  format: Buffer
  /** Start of the samples, in bytes from the start of the file. */
  dataOffset: number
  /** Length of the samples in bytes, as stated. */
  dataBytes: number
}

/** Finds the `fmt ` and the `data` chunk of a WAV file. @returns `undefined` before the start of the `data` chunk. */
export function findWavChunks(file: Buffer): WavChunks | undefined {
  if (file.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: Buffer = Buffer.alloc(0)
  let offset = 12
  for (let chunks = 0; offset + 8 <= file.length && chunks < maxChunks; chunks++) {
    const id = file.toString('latin1', offset, offset + 4)
    const size = file.readUInt32LE(offset + 4)
    const body = offset + 8
    if (id === 'data') return { format, dataOffset: body, dataBytes: size }
    if (id === 'fmt ') format = file.subarray(body, body + Math.min(size, maxFormatBytes))
    // A byte of padding follows a chunk of odd length.
    offset = body + size + (size % 2)
  }
  return undefined
}

function readRate(view: Buffer, offset: number): number | undefined {
  const rateHertz = view.readUInt32LE(offset)
  return rateHertz > 0 && rateHertz <= maxRateHertz ? rateHertz : undefined
}

/** Whether the bytes start like a WAV file. */
export function startsWithRiff(bytes: Uint8Array): boolean {
  return bytes[0] === 0x52 && bytes[1] === 0x49 && bytes[2] === 0x46 && bytes[3] === 0x46
}

/** Writes the actual length into the header of a WAV file that was made as a stream. Returns other files unchanged. */
export function correctWavLength(file: Uint8Array): Uint8Array {
  const header = readWavHeader(file)
  if (!header) return file
  const corrected = Buffer.from(file)
  corrected.writeUInt32LE(file.length - 8, 4)
  corrected.writeUInt32LE(file.length - header.dataOffset, header.dataOffset - 4)
  return corrected
}
