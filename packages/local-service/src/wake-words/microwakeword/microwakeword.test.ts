import { readFileSync } from 'node:fs'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { expect, it } from 'vitest'
import expected from './expected.json' with { type: 'json' }
import { microwakeword } from './microwakeword-detector.ts'
import { createNetwork, type NetworkData } from './network.ts'
import { createSoundFeatures } from './sound-features.ts'

const spoken = await spokenSound('hey Jarvis')
const frames = createSoundFeatures().push(spoken)
const path = new URL(import.meta.resolve('@parlando/voices/wake-words/hey-jarvis.json'))
const jarvis = JSON.parse(readFileSync(path, 'utf8')) as NetworkData
const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length

it('hears the features that the networks have learned', () => {
  for (const [frame, values] of Object.entries(expected.frames)) {
    const differences = values.map((value, band) => Math.abs(value - frames[Number(frame)]![band]!))
    expect(mean(differences), frame).toBeLessThan(2)
  }
})

it('calculates the probabilities of TensorFlow Lite', () => {
  const network = createNetwork(jarvis)
  const differences = expected.probabilities.map((value, step) => {
    const from = step * jarvis.framesPerStep
    return Math.abs(value / 256 - network.step(frames.slice(from, from + jarvis.framesPerStep)))
  })
  expect(mean(differences)).toBeLessThan(0.005)
  expect(Math.max(...differences)).toBeLessThan(0.1)
})

async function find(sound: Int16Array, phrases: string[], sensitivity = 0.5) {
  const detector = (await microwakeword.start({ options: {}, warn() {} }))!
  const { signal } = new AbortController()
  const [{ modelId, phrases: known } = { modelId: '', phrases: [] }] = detector.models
  const stream = await detector.open({ modelId, phrases, sensitivity, signal })
  const found = [...(await stream.push(sound)), ...(await stream.end())]
  stream.close()
  await detector.close()
  return { known, found: found.map(({ phrase }) => phrase) }
}

it('finds each word of a request, and no other', async () => {
  const { known, found } = await find(spoken, ['Hey Jarvis', 'Alexa'])
  expect(known).toEqual(['Alexa', 'Hey Jarvis', 'Hey Mycroft', 'Okay Nabu'])
  expect(found).toEqual(['Hey Jarvis'])
  expect((await find(spoken, ['Alexa', 'Okay Nabu'])).found).toEqual([])
})

it('finds a word between others, unless it has to be surer', async () => {
  const sentence = await spokenSound('It is late. Hey Jarvis, turn on the light', 'awb')
  const counts = [0, 0.25, 0.5, 0.75, 1].map(
    async (sensitivity) => (await find(sentence, ['Hey Jarvis'], sensitivity)).found.length,
  )
  expect(await Promise.all(counts)).toEqual([0, 0, 1, 1, 1])
})
