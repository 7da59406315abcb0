import type { AudioEncoding } from '../wire/audio-encodings.ts'
import { completeFlac } from './flac.ts'
import { completeMp3 } from './mp3-info.ts'
import { correctWavLength } from './wav.ts'

/**
 * Writes the length into the header of a file that was made as a stream, so that players show it: the samples of WAV and
 * FLAC, and an info frame at the start of MP3. An Ogg file states its length at the end. Returns other files unchanged.
 */
export function completeFile(encoding: AudioEncoding, file: Uint8Array): Uint8Array {
  if (encoding === 'MP3') return completeMp3(file)
  if (encoding === 'FLAC') return completeFlac(file)
  return correctWavLength(file)
}
