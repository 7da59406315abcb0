import { FlacCutter, type RecordingFormat, wholeSamples } from '@parlando/core/audio'
import { aLawSample, muLawSample } from '../g711.ts'
import { fromPcmBytes } from '../pcm.ts'

/** The formats of files, and the encodings without a header. */
export type DecodeFormat = RecordingFormat | 'PCM' | 'MULAW' | 'ALAW'

/** How to decode a sound. */
export interface SoundLayout {
  format: DecodeFormat
  /** The rate of an encoding without a header. */
  inputRateHertz?: number
  /** How much of the file is decoded at a time. Default: little enough for the most sound that it can contain. */
  pieceBytes?: number
}

/** The sound as the libraries return it. */
export interface Decoded {
  channelData: readonly Float32Array[]
  sampleRate: number
}

/** Decodes one sound. */
export interface SoundDecoder {
  /** Yields the sound of the next bytes. @throws what the library throws at damage. */
  decode(bytes: Uint8Array): Iterable<Decoded>
  /** Yields the sound that was held back. */
  flush(): Iterable<Decoded>
  /** Frees memory. Must be called after success and after failure. */
  free(): void
}

interface Library {
  decode(piece: Uint8Array): Decoded
  flush?(): Decoded
  free?(): void
}

// A library per format. The package with all formats depends on GPL code for formats that the service does not accept.
const libraries: Readonly<Record<RecordingFormat, () => Promise<Library>>> = {
  WAV: async () => (await import('@audio/decode-wav')).decoder(),
  MP3: async () => (await import('@audio/decode-mp3')).decoder(),
  WEBM: async () => (await import('@audio/decode-webm')).decoder() as Promise<Library>,
  OGG_OPUS: async () => (await import('@audio/decode-opus')).decoder(),
  FLAC: async () =>
    (await import('@audio/decode-flac')).decoder() as Promise<unknown> as Promise<Library>,
}

/** Two bytes of Opus can state 120 ms of sound. */
const defaultPieceBytes = { WAV: 8192, MP3: 8192, OGG_OPUS: 1024, WEBM: 1024 } as const

export async function openDecoder(layout: SoundLayout): Promise<SoundDecoder> {
  const { format, inputRateHertz = 0 } = layout
  if (format === 'PCM') return decodePcm(inputRateHertz)
  if (format === 'MULAW') return decodeG711(inputRateHertz, muLawSample)
  if (format === 'ALAW') return decodeG711(inputRateHertz, aLawSample)
  const library = await libraries[format]()
  if (format === 'FLAC') return decodeFlac(library)
  const pieceBytes = layout.pieceBytes ?? defaultPieceBytes[format]
  return {
    *decode(bytes) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        yield library.decode(bytes.subarray(at, at + pieceBytes))
      }
    },
    *flush() {
      if (library.flush) yield library.flush()
    },
    free: () => library.free?.(),
  }
}

/** One frame at a time: a frame of 26 bytes can contain two megabytes of sound. */
function decodeFlac(library: Library): SoundDecoder {
  const cutter = new FlacCutter()
  return {
    *decode(bytes) {
      for (const frame of cutter.push(bytes)) yield library.decode(frame)
    },
    *flush() {
      for (const frame of cutter.end()) yield library.decode(frame)
      yield library.flush!()
    },
    free: () => library.free?.(),
  }
}

function decodePcm(sampleRate: number): SoundDecoder {
  const whole = wholeSamples()
  return {
    *decode(piece) {
      yield { channelData: [fromPcmBytes(whole(piece))], sampleRate }
    },
    flush: () => [],
    free: () => {},
  }
}

function decodeG711(sampleRate: number, sampleOf: (byte: number) => number): SoundDecoder {
  return {
    *decode(bytes) {
      yield {
        channelData: [Float32Array.from(bytes, (byte) => sampleOf(byte) / 32_768)],
        sampleRate,
      }
    },
    flush: () => [],
    free: () => {},
  }
}
