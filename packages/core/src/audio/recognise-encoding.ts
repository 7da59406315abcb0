import { readMp3Frame } from './mp3.ts'

/** Recognises audio by its first bytes; 512 are enough. PCM and G.711 have no mark, so they are never recognised. */
export function recogniseEncoding(
  audio: Uint8Array,
): 'WAV' | 'MP3' | 'FLAC' | 'OGG_OPUS' | undefined {
  const view = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength)
  const hasAt = (at: number, mark: string) => view.toString('latin1', at, at + mark.length) === mark
  if (hasAt(0, 'RIFF') && hasAt(8, 'WAVE')) return 'WAV'
  if (hasAt(0, 'fLaC')) return 'FLAC'
  // Byte 26 of a page is the length of the table in front of its contents.
  if (hasAt(0, 'OggS') && hasAt(27 + (view[26] ?? 0), 'OpusHead')) return 'OGG_OPUS'
  if (hasAt(0, 'ID3')) return 'MP3'
  return view.length >= 4 && readMp3Frame(view.readUInt32BE(0)) ? 'MP3' : undefined
}
