import { describe, expect, it } from 'vitest'
import { createDurationMeter } from './duration.ts'

const infoFields = '00c000c0 000000000000 01f400f0 00000000'.replaceAll(' ', '')
/** 8 kHz, blocks of 192 samples, length unknown, as ffmpeg writes it into a pipe. */
const head = Buffer.from(`664c614300000022${infoFields}${'00'.repeat(16)}`, 'hex')
/** The frames of 0.1 s of silence: four of 192 samples, one of 32. */
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

function secondsOf(...chunks: Uint8Array[]): number | undefined {
  const meter = createDurationMeter('FLAC', 48000)
  for (const chunk of chunks) meter.push(chunk)
  return meter.seconds
}

describe('the length of FLAC', () => {
  it('is the length of its frames, for bytes split anywhere', () => {
    const file = Buffer.concat([head, frames])
    for (let cut = 0; cut <= file.length; cut++) {
      expect(secondsOf(file.subarray(0, cut), file.subarray(cut))).toBe(0.1)
    }
    expect(secondsOf(...[...file].map((byte) => Uint8Array.of(byte)))).toBe(0.1)
  })

  it('grows with every push', () => {
    expect(secondsOf(head)).toBe(0)
    expect(secondsOf(head, frames.subarray(0, 22))).toBe(0.048)
  })

  it('is known for variable block sizes with explicit sizes and rates', () => {
    const first = 'fff91408003d00000000'
    const second = 'fff91408c380e800000000'
    const third = 'fff97d08c680012b1f408a00000000'
    const file = Buffer.concat([head, Buffer.from(first + second + third, 'hex')])
    expect(secondsOf(file)).toBe((192 + 192 + 300) / 8000)
  })

  it('does not include data that looks like a frame but does not continue the last one', () => {
    const late = frames.subarray(33, 44)
    expect(secondsOf(head, frames.subarray(0, 11), late, frames.subarray(11))).toBe(0.1)
  })

  it('is unknown for any amount of other data', () => {
    expect(secondsOf(Buffer.alloc(30))).toBeUndefined()
    expect(secondsOf(frames, frames, frames)).toBeUndefined()
    expect(secondsOf(Buffer.alloc(1000, 0xff), head, frames)).toBeUndefined()
  })

  it('does not fail for a header before arbitrary bytes', () => {
    let seed = 1
    const noise = Uint8Array.from({ length: 100_000 }, () => {
      seed = (seed * 48271) % 2147483647
      return seed % 3 === 0 ? 0xff : seed >> 8
    })
    expect(secondsOf(head, noise)).toBeLessThan(20)
  })
})
