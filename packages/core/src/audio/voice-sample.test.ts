import { describe, expect, it } from 'vitest'
import { checkVoiceSample, readSampleFormat } from './voice-sample.ts'
import { writeWavHeader } from './wav.ts'

const sampleRateHertz = 8000

/** 16-bit mono, every sample with the same value. */
function wavFile({ seconds, value = 1000 }: { seconds: number; value?: number }): Buffer {
  const samples = Buffer.from(new Int16Array(seconds * sampleRateHertz).fill(value).buffer)
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes: samples.length }), samples])
}

/** Frames of MPEG 1 layer III with 128 kbit/s at 48 kHz: 384 bytes, 24 ms each. */
function mp3File(seconds: number): Buffer {
  const frame = Buffer.alloc(384)
  frame.writeUInt32BE(0xfffb9400)
  return Buffer.concat(Array(Math.round(seconds / 0.024)).fill(frame))
}

function id3Tag(body: Buffer, flags = 0): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x04\x00', 'latin1'), Buffer.from([flags, ...size]), body])
}

describe('a good sample', () => {
  it.each([
    ['WAV', wavFile({ seconds: 8 }), 8],
    ['MP3', mp3File(7.2), 7.2],
    ['MP3', Buffer.concat([id3Tag(Buffer.alloc(300)), mp3File(7.2)]), 7.2],
    ['WEBM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x93]), undefined],
  ])('is recognised as %s by its bytes', (format, audio, seconds) => {
    const check = checkVoiceSample(audio)
    expect(check).toMatchObject({ format, warnings: [] })
    expect(check.problem).toBeUndefined()
    if (seconds === undefined) expect(check.durationSeconds).toBeUndefined()
    else expect(check.durationSeconds).toBeCloseTo(seconds)
  })

  it('may be a view that starts at an odd byte', () => {
    const file = wavFile({ seconds: 8 })
    const odd = Buffer.concat([Buffer.alloc(1), file]).subarray(1)
    expect(checkVoiceSample(odd)).toEqual(checkVoiceSample(file))
  })
})

describe('an unusable sample', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), /is empty/],
    ['text', Buffer.from('not sound'), /is not a WAV, MP3 or WEBM file/],
    ['an Ogg file', Buffer.from('OggS\x00\x02 and so on'), /is not a WAV/],
    ['a RIFF file other than WAV', Buffer.from('RIFF\x10\x00\x00\x00AVI LIST'), /is not a WAV/],
    [
      'AAC, whose frames start like MP3 frames',
      Buffer.from([0xff, 0xf1, 0x50, 0x80, 0]),
      /is not a WAV/,
    ],
    ['only a WAV header', wavFile({ seconds: 0 }), /contains no audio/],
    ['half a WAV header', wavFile({ seconds: 1 }).subarray(0, 30), /contains no audio/],
    ['only an ID3 tag', id3Tag(Buffer.alloc(20)), /contains no audio/],
    ['half an ID3 tag', id3Tag(Buffer.alloc(20)).subarray(0, 7), /contains no audio/],
  ])('has a problem: %s', (_what, audio, problem) => {
    expect(checkVoiceSample(audio).problem).toMatch(problem)
  })

  it('exceeds 4 MiB by a single byte', () => {
    const most = Buffer.concat([mp3File(10), Buffer.alloc(4 * 1024 * 1024)])
    expect(checkVoiceSample(most.subarray(0, 4 * 1024 * 1024)).problem).toBeUndefined()
    expect(checkVoiceSample(most.subarray(0, 4 * 1024 * 1024 + 1)).problem).toMatch(
      /has 4194305 bytes, the limit is 4194304/,
    )
  })
})

describe('the length of a sample', () => {
  it.each([
    [
      4.9,
      [{ code: 'too-short', text: expect.stringMatching(/^The sample is 4\.9 s long; 5 to 15 s/) }],
    ],
    [5, []],
    [15, []],
    [15.04, []],
    [
      15.2,
      [
        {
          code: 'too-long',
          text: expect.stringMatching(/^The sample is 15\.2 s long; the service uses only 15 s/),
        },
      ],
    ],
  ])('gives a warning outside of 5 to 15 s: %d s', (seconds, warnings) => {
    expect(checkVoiceSample(wavFile({ seconds })).warnings).toEqual(warnings)
  })

  it.each([0, 0x7ffff000, 0xffffffff])(
    'counts the actual bytes if the header of a stream says %d bytes',
    (dataBytes) => {
      const audio = wavFile({ seconds: 6 })
      audio.writeUInt32LE(dataBytes, 40)
      expect(checkVoiceSample(audio).durationSeconds).toBe(6)
    },
  )

  it('does not count the chunks before and after the samples', () => {
    const plain = wavFile({ seconds: 6 })
    const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1')
    const file = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36), list])
    expect(checkVoiceSample(file).durationSeconds).toBe(6)
  })

  it('is correct for 24-bit stereo', () => {
    const file = wavFile({ seconds: 6 })
    file.writeUInt16LE(2, 22)
    file.writeUInt16LE(24, 34)
    expect(checkVoiceSample(file)).toMatchObject({ durationSeconds: 2, clippedShare: undefined })
  })

  it('is unknown, without a warning, if the header of a WAV file has no sample size', () => {
    const file = wavFile({ seconds: 1 })
    file.writeUInt16LE(0, 34)
    expect(checkVoiceSample(file)).toMatchObject({ durationSeconds: undefined, warnings: [] })
  })

  it('does not count frames in the image of an ID3 tag, with or without a footer', () => {
    const picture = mp3File(20)
    const footer = Buffer.from('3DI\x04\x00\x10\x00\x00\x00\x00', 'latin1')
    for (const tag of [id3Tag(picture), Buffer.concat([id3Tag(picture, 0x10), footer])]) {
      const check = checkVoiceSample(Buffer.concat([tag, mp3File(6)]))
      expect(check.durationSeconds).toBeCloseTo(6)
    }
  })
})

describe('clipping', () => {
  it.each([32767, -32767, -32768])('gives a warning for samples at %d', (value) => {
    const file = wavFile({ seconds: 6 })
    for (let sample = 0; sample < 480; sample++) file.writeInt16LE(value, 44 + 2 * sample)
    expect(checkVoiceSample(file)).toMatchObject({
      clippedShare: 0.01,
      warnings: [
        {
          code: 'clipped',
          text: expect.stringMatching(/^The sample is clipped: 1\.0 % is at full scale/),
        },
      ],
    })
  })

  it('gives no warning for a few peaks at full scale', () => {
    const file = wavFile({ seconds: 6 })
    for (let sample = 0; sample < 40; sample++) file.writeInt16LE(32767, 44 + 2 * sample)
    expect(checkVoiceSample(file).warnings).toEqual([])
  })

  it('gives a warning in addition to the one about the length', () => {
    const { warnings } = checkVoiceSample(wavFile({ seconds: 1, value: 32767 }))
    expect(warnings.map(({ code }) => code)).toEqual(['too-short', 'clipped'])
  })
})

it('readSampleFormat accepts every truncated file', () => {
  for (const file of [wavFile({ seconds: 0 }), id3Tag(Buffer.alloc(9)), mp3File(0.1)]) {
    for (let length = 0; length < 48; length++) readSampleFormat(file.subarray(0, length))
  }
  expect(readSampleFormat(new Uint8Array())).toBeUndefined()
})
