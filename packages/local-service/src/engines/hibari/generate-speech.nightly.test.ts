import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { joinSamples } from '../../audio/signal.ts'
import { readWeights } from '../../neural-networks/weights.ts'
import { generateSpeech } from './generate-speech.ts'
import { planProsody } from './plan-prosody.ts'
import { openEnglish } from './pronunciation/english.ts'

const folder = dirname(fileURLToPath(import.meta.resolve('@parlando/voices/package.json')))
const weights = readWeights(readFileSync(join(folder, 'heart/weights.safetensors')))
const voice = { english: openEnglish(folder)('american'), weights }
const sampleRateHertz = 24_000

function speak(text: string) {
  const pieces = [...generateSpeech(voice, text)]
  return {
    pieces,
    samples: joinSamples(pieces.map(({ samples }) => samples)),
    times: pieces.flatMap(({ times = [] }) => times),
  }
}

describe('the voice Heart', () => {
  it('lasts as long as the networks of hibari-tts say', () => {
    // From the graph of hibari-tts 0.2.1, with the same phonemes.
    expect(speak('The washing machine is done.').samples).toHaveLength(51_000)
    expect(speak('Hello there.').samples).toHaveLength(33_000)
  })

  it('has the pitch that the networks of hibari-tts have', () => {
    const ids = [0, ...voice.english.number('həlˈO ðˈɛɹ.'), 0]
    const { pitchesHertz } = planProsody(weights, ids, 1)
    const voiced = pitchesHertz.filter((hertz) => hertz > 60)
    const mean = voiced.reduce((sum, hertz) => sum + hertz, 0) / voiced.length
    expect(mean).toBeGreaterThan(170)
    expect(mean).toBeLessThan(230)
  })

  it('begins with a piece of a quarter of a second, and is the same each time', () => {
    const first = speak('It is twenty degrees in the kitchen, and the door is open.')
    expect(first.pieces.length).toBeGreaterThan(3)
    expect(first.pieces[0]!.samples.length / sampleRateHertz).toBeLessThan(0.3)
    expect(speak('It is twenty degrees in the kitchen, and the door is open.').samples).toEqual(
      first.samples,
    )
  })

  it('says when each word is spoken', () => {
    const { times, samples } = speak('The washing machine is done.')
    expect(times.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4])
    let last = 0
    for (const { startSeconds, endSeconds } of times) {
      expect(startSeconds).toBeGreaterThanOrEqual(last)
      expect(endSeconds).toBeGreaterThan(startSeconds)
      last = endSeconds
    }
    expect(last).toBeLessThanOrEqual(samples.length / sampleRateHertz)
  })

  it('speaks a text that is too long for the networks in parts', () => {
    const { times, samples } = speak(
      'And then the lights went out, one after the other. '.repeat(10).trim(),
    )
    expect(times).toHaveLength(100)
    expect(times.at(-1)!.endSeconds).toBeLessThanOrEqual(samples.length / sampleRateHertz)
  })

  it('is silent where there is nothing to say', () => {
    expect(speak('☃').samples).toHaveLength(0)
  })
})
