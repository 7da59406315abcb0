import { setTimeout as wait } from 'node:timers/promises'
import { createSentences } from '../shared/sentences.js'
import { percentile, summarize } from '../shared/statistics.js'
import { createListener } from './listener.js'

const sentenceCount = 100
const warmingCount = 10

/**
 * Requests all sentences with `listeners` in parallel; each requests the next sentence when it has received one.
 * @returns how often the service rejected a request, the times to the first audio, the longest silence during playback, and the speed compared with real time.
 */
export async function listen(baseUrl, listeners, speech) {
  const connections = Array.from({ length: listeners }, () => createListener(baseUrl))
  const sentences = createSentences(warmingCount + sentenceCount)
  await measureAll(connections, sentences.splice(0, warmingCount), speech)
  const startedAt = performance.now()
  const results = await measureAll(connections, sentences, speech)
  const tookSeconds = (performance.now() - startedAt) / 1000
  for (const listener of connections) listener.close()
  const audioSeconds = results.reduce((sum, one) => sum + one.audioSeconds, 0)
  return {
    rejected: results.reduce((sum, one) => sum + one.rejections, 0),
    ...summarize(results.map(({ firstMs }) => firstMs)),
    silentP99Ms: percentile(
      results.map(({ silentMs }) => silentMs),
      99,
    ),
    timesRealTime: audioSeconds / tookSeconds,
  }
}

async function measureAll(connections, sentences, speech) {
  const waiting = sentences.values()
  const results = []
  const measureOneAfterAnother = async (listener) => {
    for (const text of waiting) results.push(await measureTaken(listener, { ...speech, text }))
  }
  await Promise.all(connections.map(measureOneAfterAnother))
  return results
}

/** Tries again as long as the service rejects the request. The wait does not count as a part of the time to the first audio. */
async function measureTaken(listener, speech) {
  for (let rejections = 0; ; rejections++) {
    const measured = await listener.measure(speech)
    if (measured.rejectedMs === undefined) return { ...measured, rejections }
    await wait(measured.retryAfterSeconds * 1000)
  }
}
