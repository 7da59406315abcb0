import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FlacCutter } from './flac-cutter.ts'
import { FlacJoiner } from './flac-joiner.ts'
import { HeldBytes } from './held-bytes.ts'
import { OggOpusJoiner } from './ogg-joiner.ts'
import { createRecordingCheck } from './recording-check.ts'

const step = fc.record({
  add: fc.uint8Array({ maxLength: 2000 }),
  drop: fc.nat({ max: 2500 }),
})

it('held bytes are those that were added and not dropped, and earlier views stay as they were', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const held = new HeldBytes()
      let expected = Buffer.alloc(0)
      const views: [view: Buffer, copy: Buffer][] = []
      for (const { add, drop } of steps) {
        held.add(add)
        expected = Buffer.concat([expected, add])
        views.push([held.bytes, Buffer.from(held.bytes)])
        const dropped = Math.min(drop, expected.length)
        held.drop(dropped)
        expected = expected.subarray(dropped)
        expect(held.bytes.equals(expected)).toBe(true)
      }
      expect(views.every(([view, copy]) => view.equals(copy))).toBe(true)
      expect(held.take().equals(expected)).toBe(true)
      expect(held.bytes.length).toBe(0)
    }),
    { numRuns: propertyRuns(100) },
  )
})

/** A WAV file whose chunk in front of the samples is a megabyte. */
const wav = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WAVELIST\0\0\x0f\0', 'latin1'),
  Buffer.alloc(1_000_000),
])
/** A FLAC file with a megabyte of metadata, in the smallest blocks. */
const flac = Buffer.alloc(1_000_000)
flac.write('fLaC')
flac.set([0, 0, 0, 34], 4)
flac.set([0x0b, 0xb8, 0xf0], 18)
for (let at = 42; at < flac.length; at += 4) flac[at] = 4
/** Frames never begin. */
const flacFrame = Buffer.concat([flac.subarray(0, 42), Buffer.alloc(500_000, 0xff)])
flacFrame[4] = 0x80
/** Pages of 65,307 bytes. */
const page = Buffer.concat([
  Buffer.from('OggS').fill(0, 4),
  Buffer.alloc(22),
  Buffer.alloc(1, 255),
  Buffer.alloc(255, 255),
  Buffer.alloc(255 * 255),
])
/** Four, because the joiner sums up the segments of a page again for each byte. */
const ogg = Buffer.concat(Array.from({ length: 4 }, () => page))

describe('a long file that arrives byte by byte takes time in proportion to its size', () => {
  const check = createRecordingCheck('WAV')
  const cutter = new FlacCutter()
  it.each<[string, Buffer, { push(bytes: Uint8Array): unknown }]>([
    ['the check of a WAV header', wav, check],
    ['the cutter of FLAC', flac, cutter],
    ['the joiner of FLAC', flac, new FlacJoiner()],
    ['the joiner of FLAC, in a frame', flacFrame, new FlacJoiner()],
    ['the joiner of Ogg', ogg, new OggOpusJoiner()],
  ])(
    'in %s',
    (_name, file, reader) => {
      for (let at = 0; at < file.length; at++) reader.push(file.subarray(at, at + 1))
      // Up to half a minute on a busy machine; hours if each byte joined all earlier ones.
    },
    60_000,
  )
})
