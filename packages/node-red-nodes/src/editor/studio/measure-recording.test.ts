import { describe, expect, it } from 'vitest'
import { flawsOf, measureRecording, peaksOf, spanOfSpeech } from './measure-recording.ts'

const rate = 8000

/** A tone that sounds for half of each second, like words and pauses, over noise. */
function recording({
  seconds = 8,
  speechDb = -18,
  noiseDb = -70,
  gain = 1,
}: {
  seconds?: number
  speechDb?: number
  noiseDb?: number
  gain?: number
} = {}): Int16Array {
  const amplitude = (db: number) => 32_768 * Math.SQRT2 * 10 ** (db / 20)
  return Int16Array.from({ length: seconds * rate }, (_, index) => {
    const isWord = (index / rate) % 1 < 0.5
    const word = isWord ? amplitude(speechDb) * Math.sin((index * 2 * Math.PI * 200) / rate) : 0
    // Not a whole fraction of the frame, so that each frame has the same level.
    const noise = amplitude(noiseDb) * Math.sin((index * 2 * Math.PI * 1450) / rate)
    return Math.max(-32_768, Math.min(32_767, Math.round(gain * (word + noise))))
  })
}

const silence = (seconds: number) => new Int16Array(seconds * rate)
const flaws = (samples: Int16Array, isComplete = true) =>
  flawsOf(measureRecording(samples, rate), isComplete)

function join(...parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

describe('a recording', () => {
  it('is measured: length, level of the speech, noise between the words', () => {
    const { seconds, speechDb, noiseDb, clippedShare } = measureRecording(recording(), rate)
    expect(seconds).toBe(8)
    expect(speechDb).toBe(-18)
    expect(noiseDb).toBe(-70)
    expect(clippedShare).toBe(0)
  })

  it('without flaws gets no advice', () => {
    expect(flaws(recording())).toEqual([])
  })

  it.each<[string, Int16Array, string[]]>([
    ['a microphone that is off', silence(8), ['silent']],
    ['too much gain', recording({ gain: 10 }), ['clipped']],
    ['a microphone that is far away', recording({ speechDb: -45 }), ['quiet']],
    ['a fan', recording({ noiseDb: -30 }), ['noisy']],
    ['a few words', recording({ seconds: 4 }), ['too-short']],
    ['a story', recording({ seconds: 16 }), ['too-long']],
    [
      'a few words far away beside a fan',
      recording({ seconds: 3, speechDb: -45, noiseDb: -55 }),
      ['quiet', 'noisy', 'too-short'],
    ],
  ])('of %s gets this advice', (_what, samples, expected) => {
    expect(flaws(samples)).toEqual(expected)
  })

  it('is not too short while it grows, and not noisy before its first pause', () => {
    expect(flaws(recording({ seconds: 4 }), false)).toEqual([])
    const word = recording({ seconds: 1 }).subarray(0, rate / 2)
    expect(flaws(word, false)).toEqual([])
  })

  it('that is empty has no flaw but its length', () => {
    expect(flaws(silence(0))).toEqual(['too-short'])
  })
})

describe('the span of speech', () => {
  it('begins shortly before the first word and ends shortly after the last one', () => {
    const { start, end } = spanOfSpeech(join(silence(2), recording(), silence(3)), rate, 15)
    expect(start).toBeCloseTo(1.8, 1)
    expect(end).toBeCloseTo(9.7, 1)
  })

  it('is not longer than the limit', () => {
    const { start, end } = spanOfSpeech(join(silence(2), recording({ seconds: 20 })), rate, 15)
    expect(end - start).toBe(15)
  })

  it('does not leave the recording', () => {
    const { start, end } = spanOfSpeech(recording({ seconds: 5 }), rate, 15)
    expect(start).toBe(0)
    expect(end).toBeLessThanOrEqual(5)
  })

  it('of silence is the whole recording', () => {
    expect(spanOfSpeech(silence(3), rate, 15)).toEqual({ start: 0, end: 3 })
  })
})

it('the peaks of a recording are those of its parts', () => {
  const samples = Int16Array.from([0, 16_384, -32_768, 0, 8192, 0])
  expect([...peaksOf(samples, 3)]).toEqual([0.5, 1, 0.25])
  expect([...peaksOf(new Int16Array(), 2)]).toEqual([0, 0])
})
