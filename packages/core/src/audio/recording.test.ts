import { describe, expect, it } from 'vitest'
import { readRecordingFormat, recordingLimits, recordingProblem } from './recording.ts'

const bytes = (start: string) => Buffer.from(start, 'latin1')
const oggPage = `OggS\0\x02${'\0'.repeat(20)}\x01\x13`

describe('a recording', () => {
  it.each([
    ['WAV', 'RIFF\x01\x02\x03\x04WAVEfmt '],
    ['MP3', 'ID3\x04'],
    ['MP3', '\xff\xfb\x90\x64'],
    ['OGG_OPUS', `${oggPage}OpusHead`],
    ['WEBM', '\x1a\x45\xdf\xa3'],
    ['FLAC', 'fLaC\0\0\0\x22'],
  ])('can be transcribed as %s', (format, start) => {
    expect(readRecordingFormat(bytes(start))).toBe(format)
    expect(recordingProblem(bytes(start))).toBeUndefined()
  })

  it.each([
    ['is empty', ''],
    ['is AAC (M4A)', '\0\0\0\x20ftypM4A '],
    ['is AAC (M4A)', '\xff\xf1\x50\x80'],
    ['is not a WAV, MP3, Ogg Opus, WebM or FLAC file', `${oggPage}\x01vorbis`],
    ['put a WAV header in front of PCM', '\x01\x00\x02\x00'],
    ['is not a WAV', '\x01'],
  ])('has a problem: %s', (problem, start) => {
    expect(recordingProblem(bytes(start))).toContain(problem)
  })

  it('can have 25 MiB', () => {
    const audio = Buffer.alloc(recordingLimits.maxBytes + 1)
    audio.write('ID3')
    expect(recordingProblem(audio)).toBe(
      'is larger than the limit of 26214400 bytes; split it, or use MP3 or Ogg Opus',
    )
    expect(recordingProblem(audio.subarray(1))).toContain('is not')
    expect(recordingProblem(audio.subarray(0, recordingLimits.maxBytes))).toBeUndefined()
  })
})
