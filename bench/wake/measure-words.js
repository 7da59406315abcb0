import { levelOf, makeMusic, steadyNoises } from '../../test/turns/noises.ts'
import { makeBabble, rateHertz } from '../../test/turns/recordings.ts'

const noisyWords = 200
const noiseSeconds = 60
const makeNoises = [steadyNoises.pink, makeMusic, makeBabble]
const speechLevel = 10 ** (-26 / 20)
const [leadSamples, tailSamples] = [0.8 * rateHertz, rateHertz]
/** As a microphone sends it. */
const pieceSamples = rateHertz / 50
/** A later event belongs to something else. */
const maxDelayMs = 1000

let noises

/** @returns how many words were missed, and for each other word the time from its end to its event, in the sound. */
export async function measureWords({ detector, model, phrase, words, levelDb }) {
  noises ??= makeNoises.map((make) => make(noiseSeconds * rateHertz))
  const delaysMs = []
  let missed = 0
  for (const scene of scenesOf(words, levelDb)) {
    const search = { modelId: model.modelId, phrases: [phrase], sensitivity: 0.5 }
    const delayMs = await findWord(detector, search, scene)
    if (delayMs === undefined) missed += 1
    else delaysMs.push(delayMs)
  }
  return { missed, delaysMs }
}

/** Each word alone, or with every noise. */
function scenesOf(words, levelDb) {
  if (!Number.isFinite(levelDb)) return words.map((word) => toScene(word))
  const noisy = words.flatMap((word) => noises.map((noise) => ({ word, noise })))
  const share = noisyWords / noisy.length
  return noisy
    .filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
    .map(({ word, noise }, index) => toScene(word, { noise, levelDb, from: index * 7919 }))
}

function toScene({ samples, start, end }, added) {
  const gain = speechLevel / levelOf(samples.subarray(start, end))
  const sound = new Float32Array(leadSamples + samples.length + tailSamples)
  for (const [index, sample] of samples.entries()) sound[leadSamples + index] = gain * sample
  if (added) {
    const { noise, levelDb, from } = added
    const noiseGain = (speechLevel * 10 ** (-levelDb / 20)) / levelOf(noise)
    for (let index = 0; index < sound.length; index++) {
      sound[index] += noiseGain * noise[(from + index) % noise.length]
    }
  }
  return {
    samples: Int16Array.from(sound, (sample) => 32_767 * Math.max(-1, Math.min(1, sample))),
    start: leadSamples + start,
    end: leadSamples + end,
  }
}

async function findWord(detector, search, { samples, start, end }) {
  const stream = await detector.open({ ...search, signal: new AbortController().signal })
  try {
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const found = await stream.push(samples.subarray(at, at + pieceSamples))
      const sent = at + pieceSamples
      const isWord = sent > start && sent <= end + (maxDelayMs * rateHertz) / 1000
      if (found.length > 0 && isWord) return (1000 * (sent - end)) / rateHertz
    }
    return undefined
  } finally {
    stream.close()
  }
}
