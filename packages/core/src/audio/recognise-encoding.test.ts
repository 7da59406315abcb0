import { describe, expect, it } from 'vitest'
import { recogniseEncoding } from './recognise-encoding.ts'

const oggPage = (segments: number) =>
  `OggS\0\x02${'\0'.repeat(20)}${String.fromCharCode(segments)}${'\x13'.repeat(segments)}`

describe('the encoding of audio', () => {
  it.each([
    ['WAV', 'RIFF\x01\x02\x03\x04WAVEfmt '],
    ['FLAC', 'fLaC\0\0\0\x22'],
    ['OGG_OPUS', `${oggPage(1)}OpusHead`],
    ['OGG_OPUS', `${oggPage(255)}OpusHead`],
    ['MP3', 'ID3\x04'],
    ['MP3', '\xff\xfb\x90\x64'],
    ['MP3', '\xff\xe3\x18\xc4'],
  ])('is %s if it begins with %j', (encoding, start) => {
    expect(recogniseEncoding(Buffer.from(start, 'latin1'))).toBe(encoding)
  })

  it.each([
    ['another RIFF file', 'RIFF\x01\x02\x03\x04AVI LIST'],
    ['Ogg Vorbis', `${oggPage(1)}\x01vorbis`],
    ['AAC', '\xff\xf1\x50\x80'],
    ['an MP3 frame without a bit rate', '\xff\xfb\xf0\x64'],
    ['samples', '\x01\x00\x02\x00\x03\x00'],
    ['a web page', '<!doctype html>'],
    ['nothing', ''],
  ])('is unknown for %s', (_title, start) => {
    expect(recogniseEncoding(Buffer.from(start, 'latin1'))).toBeUndefined()
  })
})
