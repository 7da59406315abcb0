import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { expect, it } from 'vitest'
import { createTurnDetector } from './turn-detector.ts'
import { defaultTurnRule } from './turn-rule.ts'
import { createTurnSplitter, type TurnPart } from './turn-splitter.ts'

/** Three turns. */
const sound = joinSamples([
  silence(1000),
  voicedSound({ seconds: 0.9 }),
  silence(1200),
  voicedSound({ seconds: 0.7 }),
  silence(600),
  voicedSound({ seconds: 2.2 }),
  silence(800),
])

function silence(ms: number): Int16Array {
  return new Int16Array(ms * 16)
}

function joinSamples(pieces: readonly Int16Array[]): Int16Array {
  const bytes = Buffer.concat(pieces.map((piece) => new Uint8Array(piece.buffer)))
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

async function split(rule: typeof defaultTurnRule, pieceSamples: number): Promise<TurnPart[]> {
  const splitter = await createTurnSplitter(rule)
  const parts: TurnPart[] = []
  for (let start = 0; start < sound.length; start += pieceSamples) {
    parts.push(...(await splitter.push(sound.subarray(start, start + pieceSamples))))
  }
  parts.push(...splitter.end())
  splitter.close()
  return parts
}

it.each([
  ['the default rule', defaultTurnRule],
  ['a short limit', { ...defaultTurnRule, maxTurnMs: 1000 }],
  ['little silence', { ...defaultTurnRule, silenceMs: 100, prefixMs: 0 }],
  ['no speech detection', { ...defaultTurnRule, detectsSpeech: false, maxTurnMs: 1500 }],
])('the samples of each turn reach from its start to its end, with %s', async (_name, rule) => {
  for (const pieceSamples of [100, 320, 4801, 200_000]) {
    const turns: { startMs: number; endMs?: number; pieces: Int16Array[] }[] = []
    for (const part of await split(rule, pieceSamples)) {
      if (part.type === 'speechStarted') turns.push({ startMs: part.startMs, pieces: [] })
      else if (part.type === 'speechStopped') turns.at(-1)!.endMs = part.endMs
      else if (part.type === 'samples') turns.at(-1)!.pieces.push(part.samples)
    }
    expect(turns.length).toBeGreaterThan(2)
    for (const { startMs, endMs, pieces } of turns) {
      const expected = sound.slice(startMs * 16, endMs! * 16)
      expect(joinSamples(pieces).length).toBe(expected.length)
      expect(Buffer.from(joinSamples(pieces).buffer).equals(Buffer.from(expected.buffer))).toBe(
        true,
      )
    }
  }
})

it('a turn is returned before it ends', async () => {
  const splitter = await createTurnSplitter(defaultTurnRule)
  const parts = await splitter.push(voicedSound({ seconds: 1 }))
  const received = parts.flatMap((part) => (part.type === 'samples' ? [part.samples.length] : []))
  expect(parts[0]).toEqual({ type: 'speechStarted', startMs: 0 })
  expect(received).toEqual([16_000])
  splitter.close()
})

it('the detector and the splitter agree', async () => {
  const detector = await createTurnDetector(defaultTurnRule)
  const events = [...(await detector.push(sound)), ...detector.end()]
  detector.close()
  const parts = await split(defaultTurnRule, 320)
  expect(parts.filter(({ type }) => type !== 'samples')).toEqual(events)
})
