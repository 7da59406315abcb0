import { setTimeout as wait } from 'node:timers/promises'
import { createSentences } from '../shared/sentences.js'
import { summarize } from '../shared/statistics.js'
import { createListener } from './listener.js'

const otherCount = 32
const sentenceCount = 60
const sentencesPerTurn = 20
const settleMs = 1_000

/**
 * One listener requests sentences, in turns while nobody else does, and while 32 listeners of another caller do without a pause.
 * @returns a row for each.
 */
export async function listenBeside(baseUrl, speech) {
  const listener = createListener(baseUrl, 'of-one')
  const quiet = []
  const busy = []
  const sentences = createSentences(sentenceCount)
  for (let start = 0; start < sentenceCount; start += sentencesPerTurn) {
    const turn = sentences.slice(start, start + sentencesPerTurn)
    quiet.push(...(await measure(listener, speech, turn)))
    const stop = startOthers(baseUrl, speech)
    await wait(settleMs)
    busy.push(...(await measure(listener, speech, turn)))
    await stop()
  }
  listener.close()
  return [
    { listeners: 1, ...speech, ...toRow(quiet) },
    { listeners: 1, beside: otherCount, ...speech, ...toRow(busy) },
  ]
}

async function measure(listener, speech, sentences) {
  const results = []
  for (const text of sentences) results.push(await listener.measure({ ...speech, text }))
  return results
}

/** @returns a function that ends them. */
function startOthers(baseUrl, speech) {
  let isOver = false
  const listenOn = async (index) => {
    const listener = createListener(baseUrl, 'of-many')
    const sentences = createSentences(200)
    for (let next = index * 6; !isOver; next++) {
      const text = sentences[next % sentences.length]
      const { retryAfterSeconds = 0 } = await listener.measure({ ...speech, text })
      for (let waited = 0; waited < retryAfterSeconds * 10 && !isOver; waited++) await wait(100)
    }
    listener.close()
  }
  const others = Array.from({ length: otherCount }, (_, index) => listenOn(index))
  return async () => {
    isOver = true
    await Promise.all(others)
  }
}

function toRow(results) {
  const taken = results.filter(({ rejectedMs }) => rejectedMs === undefined)
  return {
    rejected: results.length - taken.length,
    ...summarize(taken.map(({ firstMs }) => firstMs)),
  }
}
