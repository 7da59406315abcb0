import { voicedSound, whiteNoise } from '@parlando/test-support/audio/computed-sounds'
import { detectTurns } from '@parlando/test-support/local-service/detect-turns'
import { describe, expect, it } from 'vitest'
import { createTurnDetector } from './turn-detector.ts'
import { defaultTurnRule, type TurnRule } from './turn-rule.ts'
import type { TurnEvent } from './turn-states.ts'

const silence = (ms: number) => new Int16Array(ms * 16)
const noise = (ms: number, amplitude: number) => whiteNoise(ms * 16, amplitude)
const voice = (ms: number) => voicedSound({ seconds: ms / 1000 })

/** Pushes sound in pieces of a length and ends it. */
async function detect(
  sounds: readonly Int16Array[],
  { pieceSamples = 160, ...rule }: Partial<TurnRule> & { pieceSamples?: number } = {},
): Promise<TurnEvent[]> {
  const detector = await createTurnDetector({ ...defaultTurnRule, ...rule })
  return detectTurns(detector, sounds, pieceSamples)
}

describe('a turn', () => {
  it('begins 400 ms before the voice and ends after 500 ms of silence', async () => {
    const events = await detect([silence(1000), voice(1000), silence(1500)])
    expect(events).toEqual([
      { type: 'speechStarted', startMs: expect.any(Number) },
      { type: 'speechStopped', endMs: expect.any(Number), silenceMs: 500 },
    ])
    const [start, stop] = events as unknown as [{ startMs: number }, { endMs: number }]
    expect(Math.abs(start.startMs - 600)).toBeLessThanOrEqual(50)
    expect(Math.abs(stop.endMs - 2500)).toBeLessThanOrEqual(100)
  })

  it.each([1, 7, 319, 320, 100_000])(
    'is the same in pieces of %d samples',
    async (pieceSamples) => {
      const sounds = [silence(600), voice(700), silence(1000), voice(500), silence(900)]
      expect(await detect(sounds, { pieceSamples })).toEqual(await detect(sounds))
    },
  )

  it('continues over a pause that is shorter than the silence of the rule', async () => {
    const sounds = [silence(600), voice(600), silence(400), voice(600), silence(1200)]
    expect(await detect(sounds)).toHaveLength(2)
    expect(await detect(sounds, { silenceMs: 200 })).toHaveLength(4)
  })

  it('begins with the sound if the voice does', async () => {
    expect((await detect([voice(800)]))[0]).toEqual({ type: 'speechStarted', startMs: 0 })
  })

  it('ends with the sound', async () => {
    const events = await detect([silence(500), voice(805)])
    expect(events.at(-1)).toEqual({ type: 'speechStopped', endMs: 1305, silenceMs: 0 })
  })

  it('is found at the end of the sound even if the word is too short to begin one', async () => {
    const events = await detect([silence(600), voice(90)])
    expect(events).toMatchObject([{ type: 'speechStarted' }, { endMs: 690 }])
  })

  it('is split at the maximum length without a gap', async () => {
    const events = await detect([voice(5000), silence(1000)], { maxTurnMs: 2000 })
    const starts = events.filter((event) => event.type === 'speechStarted')
    const stops = events.filter((event) => event.type === 'speechStopped')
    expect(starts).toHaveLength(3)
    expect(starts.slice(1).map(({ startMs }) => startMs)).toEqual(
      stops.slice(0, -1).map(({ endMs }) => endMs),
    )
  })

  it('does not begin in silence or in noise', async () => {
    expect(await detect([silence(3000)])).toEqual([])
    expect(await detect([noise(10_000, 0.1)])).toEqual([])
  })

  it('needs louder sound with a higher threshold', async () => {
    const quietVoice = voicedSound({ seconds: 1, amplitude: 0.008 })
    const background = noise(3000, 0.003)
    const sound = background.map((sample, at) => sample + (quietVoice[at - 16_000] ?? 0))
    expect(await detect([sound])).toHaveLength(2)
    expect(await detect([sound], { threshold: 1 })).toHaveLength(0)
  })
})

describe('a turn without speech detection', () => {
  const manual = { detectsSpeech: false }

  it('reaches from the first sample to the last one', async () => {
    expect(await detect([silence(1234)], manual)).toEqual([
      { type: 'speechStarted', startMs: 0 },
      { type: 'speechStopped', endMs: 1234, silenceMs: 0 },
    ])
    expect(await detect([], manual)).toEqual([])
  })

  it.each([160, 100_000])(
    'is split at the maximum length, in pieces of %d samples',
    async (pieceSamples) => {
      const events = await detect([silence(2500)], { ...manual, maxTurnMs: 1000, pieceSamples })
      expect(events).toEqual([
        { type: 'speechStarted', startMs: 0 },
        { type: 'speechStopped', endMs: 1000, silenceMs: 0 },
        { type: 'speechStarted', startMs: 1000 },
        { type: 'speechStopped', endMs: 2000, silenceMs: 0 },
        { type: 'speechStarted', startMs: 2000 },
        { type: 'speechStopped', endMs: 2500, silenceMs: 0 },
      ])
    },
  )
})

describe('an end-of-turn model', () => {
  const pauses = { judgedAfterMs: 200, unjudgedSilenceMs: 500 }
  const rule = { ...defaultTurnRule, silenceMs: 1000, pauses }

  /** @param judge what the model says about the pauses. */
  async function silenceAtEnd(judge: () => Promise<boolean | undefined>) {
    const heardMs: number[] = []
    const endOfTurnModel = {
      async prepare() {},
      isComplete(samples: Int16Array) {
        heardMs.push(samples.length / 16)
        return judge()
      },
      async close() {},
    }
    const detector = await createTurnDetector(rule, { endOfTurnModel })
    const events = await detectTurns(detector, [silence(600), voice(700), silence(1500)], 160)
    const stopped = events.find((event) => event.type === 'speechStopped')
    return { heardMs, silenceMs: stopped?.silenceMs }
  }

  it('is asked about a pause before it is long enough, and ends a turn that is complete', async () => {
    const { heardMs, silenceMs } = await silenceAtEnd(async () => true)
    expect(silenceMs).toBe(200)
    // The voice with 400 ms before it and 200 ms after it, half of which were not heard yet.
    expect(heardMs).toHaveLength(1)
    expect(Math.abs(heardMs[0]! - 1300)).toBeLessThan(100)
  })

  it('is asked once about a pause in one that is not, which waits longer for the rest', async () => {
    const { heardMs, silenceMs } = await silenceAtEnd(async () => false)
    expect([heardMs.length, silenceMs]).toEqual([1, 1000])
  })

  it.each([
    ['has failed', async () => undefined],
    ['does not respond in time', () => new Promise<undefined>(() => {})],
  ])('that %s leaves the turn to the default silence', async (_name, judge) => {
    expect(await silenceAtEnd(judge)).toMatchObject({ silenceMs: 500 })
  })
})
