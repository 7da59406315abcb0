import { createSentences } from '../shared/sentences.js'
import { percentile, summarize } from '../shared/statistics.js'
import { createListener } from './listener.js'

const sentenceCount = 100
const warmingCount = 10

/**
 * Requests all sentences with `listeners` in parallel; each requests the next sentence when it has received one.
 * @returns the times to the first audio, the longest silence during playback, and the speed compared with real time.
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
