import { expect, it } from 'vitest'
import { soundKey } from './sound-key.ts'

it('depends on every fact, also inside of others, and not on their order', () => {
  const facts = { text: 'Hello.', voice: 'Heart', config: { rate: 1, encoding: 'MP3' } }
  const same = {
    config: { encoding: 'MP3', rate: 1, gain: undefined },
    voice: 'Heart',
    text: 'Hello.',
  }
  expect(soundKey(same)).toBe(soundKey(facts))
  for (const other of [
    { ...facts, text: 'Hello' },
    { ...facts, voice: 'heart' },
    { ...facts, config: { ...facts.config, rate: 1.1 } },
    { ...facts, more: null },
    { ...facts, config: [facts.config] },
  ]) {
    expect(soundKey(other)).not.toBe(soundKey(facts))
  }
})

it('rejects what JSON cannot express', () => {
  const circular: { self?: object } = {}
  circular.self = circular
  expect(() => soundKey(circular)).toThrow()
  expect(() => soundKey({ count: 1n })).toThrow(TypeError)
})
