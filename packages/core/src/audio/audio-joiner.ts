import type { AudioEncoding } from '../wire/audio-encodings.ts'
import { isPcm16 } from './encodings.ts'
import { completeFlac } from './flac.ts'
import { FlacJoiner } from './flac-joiner.ts'
import type { AudioJoiner, FileJoiner } from './incremental.ts'
import { completeMp3 } from './mp3-info.ts'
import { createMp3Joiner } from './mp3-joiner.ts'
import { OggOpusJoiner } from './ogg-joiner.ts'
import { correctWavLength } from './wav.ts'
import { createWavJoiner } from './wav-joiner.ts'

/**
 * Joins the chunks of one utterance into one valid file. With `isSplit`, the utterance consists of several pieces, each of which
 * is a file. Otherwise (the default), the chunks of a single compressed file pass through unchanged.
 */
export function createAudioJoiner(
  encoding: AudioEncoding,
  sampleRateHertz: number,
  { isSplit = false } = {},
): AudioJoiner {
  if (isPcm16(encoding)) return createWavJoiner(encoding, sampleRateHertz)
  if (!isSplit) return { ...unchanged, sampleRateHertz }
  if (encoding === 'OGG_OPUS') return Object.assign(new OggOpusJoiner(), { sampleRateHertz })
  if (encoding === 'FLAC') return Object.assign(new FlacJoiner(), { sampleRateHertz })
  if (encoding === 'MP3') return { ...createMp3Joiner(), sampleRateHertz }
  return { ...unchanged, sampleRateHertz }
}

const unchanged: FileJoiner = {
  push: (chunk) => chunk,
  nextPiece: () => new Uint8Array(),
  end: () => new Uint8Array(),
}

/**
 * Writes the length into the header of a file that was made as a stream, so that players show it: the samples of WAV and
 * FLAC, and an info frame at the start of MP3. An Ogg file states its length at the end. Returns other files unchanged.
 */
export function completeFile(encoding: AudioEncoding, file: Uint8Array): Uint8Array {
  if (encoding === 'MP3') return completeMp3(file)
  if (encoding === 'FLAC') return completeFlac(file)
  return correctWavLength(file)
}
