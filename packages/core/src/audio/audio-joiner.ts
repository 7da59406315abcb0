import type { AudioEncoding } from '../wire/audio-encodings.ts'
import { isPcm16 } from './encodings.ts'
import type { AudioJoiner, FileJoiner } from './file-joiner.ts'
import { createFlacJoiner } from './flac-joiner.ts'
import { createMp3Joiner } from './mp3-joiner.ts'
import { createOggOpusJoiner } from './ogg-joiner.ts'
import { createWavJoiner } from './wav-joiner.ts'

/**
 * Joins the chunks of one utterance into one valid file.
 * @param options.isSplit whether the utterance consists of several pieces, each of which is a file. The chunks of a
 * single compressed file pass through unchanged.
 */
export function createAudioJoiner(
  encoding: AudioEncoding,
  sampleRateHertz: number,
  { isSplit = false } = {},
): AudioJoiner {
  if (isPcm16(encoding)) return createWavJoiner(encoding, sampleRateHertz)
  if (!isSplit) return { ...unchanged, sampleRateHertz }
  if (encoding === 'OGG_OPUS') return { ...createOggOpusJoiner(), sampleRateHertz }
  if (encoding === 'FLAC') return { ...createFlacJoiner(), sampleRateHertz }
  if (encoding === 'MP3') return { ...createMp3Joiner(), sampleRateHertz }
  return { ...unchanged, sampleRateHertz }
}

const unchanged: FileJoiner = {
  push: (chunk) => chunk,
  nextPiece: () => new Uint8Array(),
  end: () => new Uint8Array(),
}
