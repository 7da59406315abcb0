import { createSentences } from '../shared/sentences.js'
import { percentile, summarize } from '../shared/statistics.js'
import { createListener } from './listener.js'

const sentenceCount = 100
const warmingCount = 10

/**
 * Lets `listeners` ask beside each other for all sentences, each for the next one as soon as it has heard one.
 * @returns how soon the first audio was there, how long playing stood still, and how much faster than speech it came.
 */
export async function listen(baseUrl, listeners, speech) {
  const people = Array.from({ length: listeners }, () => createListener(baseUrl))
  const sentences = createSentences(warmingCount + sentenceCount)
  await hearAll(people, sentences.splice(0, warmingCount), speech)
  const startedAt = performance.now()
  const heard = await hearAll(people, sentences, speech)
  const tookSeconds = (performance.now() - startedAt) / 1000
  for (const person of people) person.close()
  const audioSeconds = heard.reduce((sum, one) => sum + one.audioSeconds, 0)
  return {
    ...summarize(heard.map(({ firstMs }) => firstMs)),
    silentP99Ms: percentile(
      heard.map(({ silentMs }) => silentMs),
      99,
    ),
    timesRealTime: audioSeconds / tookSeconds,
  }
}

async function hearAll(people, sentences, speech) {
  const waiting = sentences.values()
  const heard = []
  const hearOneAfterAnother = async (person) => {
    for (const text of waiting) heard.push(await person.hear({ ...speech, text }))
  }
  await Promise.all(people.map(hearOneAfterAnother))
  return heard
}
