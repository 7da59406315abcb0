import { describe, expect, it } from 'vitest'
import { completeFile, createAudioJoiner } from './audio-joiner.ts'
import { createDurationMeter } from './duration.ts'

const streamInfo = `00c000c0 000000000000 01f400f0 00000000 ${'11'.repeat(16)}`.replaceAll(' ', '')
/** The frames of 0.1 s of silence at 8 kHz, as ffmpeg writes them: four of 192 samples, one of 32. */
const frames = Buffer.from(
  [
    'fff81408002b000000e95b',
    'fff81408012c0000008523',
    'fff81408022500000031ab',
    'fff8140803220000005dd3',
    'fff86408041fea000000390f',
  ].join(''),
  'hex',
)
const piece = Buffer.concat([Buffer.from(`664c614380000022${streamInfo}`, 'hex'), frames])
/** With a block of metadata after STREAMINFO. */
const taggedPiece = Buffer.concat([
  Buffer.from(`664c614300000022${streamInfo}84000003aabbcc`, 'hex'),
  frames,
])

function joined(pieces: readonly Uint8Array[][]): Buffer {
  const joiner = createAudioJoiner('FLAC', 8000, { isSplit: true })
  const written = pieces.flatMap((chunks, index) => [
    ...(index > 0 ? [joiner.nextPiece()] : []),
    ...chunks.map((chunk) => joiner.push(chunk)),
  ])
  return Buffer.concat([...written, joiner.end()])
}

function secondsOf(file: Uint8Array): number | undefined {
  const meter = createDurationMeter('FLAC', 8000)
  meter.push(file)
  return meter.seconds
}

describe('joined FLAC files', () => {
  it('have one header without a length, and frames that continue', () => {
    const file = joined([[piece], [piece], [piece]])
    expect(file.lastIndexOf('fLaC')).toBe(0)
    expect(file.subarray(8, 42).toString('hex')).toBe(
      `001000c0000000000000${'01f400f0'}00000000${'00'.repeat(16)}`,
    )
    expect(secondsOf(file)).toBeCloseTo(0.3)
    // The number of the first sample of the last frame, 2368, needs three bytes.
    expect(file.indexOf(Buffer.from('fff96408e0a580', 'hex'))).toBeGreaterThan(0)
  })

  it('are the same for bytes split anywhere, and with other metadata', () => {
    const expected = joined([[piece], [piece]])
    for (const source of [piece, taggedPiece]) {
      for (let cut = 0; cut <= source.length; cut++) {
        const chunks = [source.subarray(0, cut), source.subarray(cut)]
        expect(joined([chunks, chunks]).equals(expected)).toBe(true)
      }
      const bytes = [...source].map((byte) => Uint8Array.of(byte))
      expect(joined([bytes, bytes]).equals(expected)).toBe(true)
    }
  })

  it('pass through unchanged if they are not FLAC', () => {
    const other = Buffer.alloc(100, 'mp3 ')
    expect(joined([[other], [other]])).toEqual(Buffer.concat([other, other]))
  })

  it('do not hold back any amount of data that has no second frame', () => {
    const broken = Buffer.concat([piece.subarray(0, 53), Buffer.alloc(1024 * 1024, 'x')])
    expect(joined([[broken]]).length).toBeGreaterThan(1024 * 1024)
  })
})

describe('a complete FLAC file', () => {
  it('has its number of samples in the header', () => {
    const file = completeFile('FLAC', joined([[piece], [piece]]))
    expect(Buffer.from(file).readUInt32BE(22)).toBe(1600)
    expect(completeFile('FLAC', file)).toBe(file)
  })

  it('is unchanged if it is not FLAC', () => {
    for (const file of [Buffer.from('short'), Buffer.alloc(100)]) {
      expect(completeFile('FLAC', file)).toBe(file)
    }
  })
})
