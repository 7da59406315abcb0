import type { AudioEncoding } from '@parlando/core/wire'

// The first bytes of each format, as Latin-1.
const starts: readonly (readonly [AudioEncoding, RegExp])[] = [
  ['WAV', /^RIFF....WAVE/s],
  ['FLAC', /^fLaC/],
  ['OGG_OPUS', /^OggS.{24,279}?OpusHead/s],
  // An ID3 tag, or a frame header: 11 bits of synchronisation, a version and layer III.
  ['MP3', /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/],
]

/** Recognises the encoding of a sound by its first bytes. PCM and G.711 have no mark, so they are never recognised. */
export function recogniseEncoding(audio: Uint8Array): AudioEncoding | undefined {
  const start = Buffer.from(audio.subarray(0, 512)).toString('latin1')
  return starts.find(([, pattern]) => pattern.test(start))?.[0]
}
