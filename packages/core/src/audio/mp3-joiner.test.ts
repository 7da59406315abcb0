import { describe, expect, it } from 'vitest'
import { completeFile, createAudioJoiner } from './audio-joiner.ts'
import { createDurationMeter } from './duration.ts'

/** MPEG 2 layer III, mono, 64 kbit/s at 24 kHz: 192 bytes, 24 ms. */
function frame(text = '', at = 4): Buffer {
  const bytes = Buffer.alloc(192)
  bytes.writeUInt32BE(0xfff384c4)
  bytes.write(text, at, 'latin1')
  return bytes
}

const audio = Buffer.concat([frame('a'), frame('LAME3.100UU', 60), frame('c')])
/** An info frame as ffmpeg writes it into a pipe: without the number of frames. */
const emptyInfo = frame('Info', 13)
const id3 = Buffer.from('ID3\u0004\0\0\0\0\u0002\u0001', 'latin1')
const tagged = Buffer.concat([id3, Buffer.alloc(257), emptyInfo, audio])

function joined(pieces: readonly Uint8Array[][]): Buffer {
  const joiner = createAudioJoiner('MP3', 24_000, { isSplit: true })
  const written = pieces.flatMap((chunks, index) => [
    ...(index > 0 ? [joiner.nextPiece()] : []),
    ...chunks.map((chunk) => joiner.push(chunk)),
  ])
  return Buffer.concat([...written, joiner.end()])
}

function secondsOf(file: Uint8Array): number | undefined {
  const meter = createDurationMeter('MP3', 24_000)
  meter.push(file)
  return meter.seconds
}

describe('joined MP3 files', () => {
  it('consist of their audio, without ID3 tags and info frames, for bytes split anywhere', () => {
    const expected = Buffer.concat([audio, audio])
    expect(joined([[audio], [audio]])).toEqual(expected)
    for (let cut = 0; cut <= tagged.length; cut++) {
      const chunks = [tagged.subarray(0, cut), tagged.subarray(cut)]
      expect(joined([chunks, chunks]).equals(expected)).toBe(true)
    }
  })

  it('pass through unchanged if they are not MP3', () => {
    const pieces = [[Buffer.from('one')], [Buffer.alloc(500, 'two')]]
    expect(joined(pieces)).toEqual(Buffer.concat(pieces.flat()))
  })
})

describe('a complete MP3 file', () => {
  it('starts with an info frame that has its length, seek points and delay', () => {
    const file = Buffer.from(completeFile('MP3', audio))
    const info = file.subarray(0, -audio.length)
    expect(info.readUInt32BE(0).toString(16)).toBe('fff384c4')
    expect(info.toString('latin1', 13, 17)).toBe('Info')
    expect([info.readUInt32BE(21), info.readUInt32BE(25)]).toEqual([3, file.length])
    const seekPoints = [...info.subarray(29, 129)]
    expect(seekPoints).toEqual(seekPoints.toSorted((one, other) => one - other))
    expect(info.toString('latin1', 133, 142)).toBe('LAME3.100')
    expect(info.readUIntBE(154, 3) >>> 12).toBe(576)
    expect(secondsOf(file)).toBeCloseTo(0.072)
  })

  it('has the delay only if the frames are signed by LAME', () => {
    const file = Buffer.from(completeFile('MP3', Buffer.concat([frame(), frame()])))
    expect(file.toString('latin1', 13, 17)).toBe('Info')
    expect(file.indexOf('LAME')).toBe(-1)
  })

  it('keeps its ID3 tag and its info frame, unless that leaves the length unset', () => {
    const file = Buffer.from(completeFile('MP3', tagged))
    expect(file.subarray(0, 267)).toEqual(tagged.subarray(0, 267))
    expect(file.toString('latin1').match(/Info/g)).toHaveLength(1)
    expect(secondsOf(file)).toBeCloseTo(0.072)
    expect(completeFile('MP3', file)).toBe(file)
  })

  it.each([0, 3, 500])('is unchanged if it is not MP3: %i bytes', (length) => {
    const file = Buffer.alloc(length, 'x')
    expect(completeFile('MP3', file)).toBe(file)
  })
})
