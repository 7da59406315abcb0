import { setTimeout as wait } from 'node:timers/promises'
import { createSentences } from '../shared/sentences.js'
import { percentile } from '../shared/statistics.js'
import { createListener } from './listener.js'

const listenerCount = 200
const arrivalMs = 1_000
const sentencesPerText = 4
const maxTries = 10

/**
 * Two hundred listeners who want a quarter of a minute of speech each arrive within a second. Those who are rejected come back when the
 * service has told them to, until they are taken.
 * @returns a row.
 */
export async function overload(baseUrl, speech) {
  const texts = createTexts()
  const listeners = texts.map(() => createListener(baseUrl, 'of-all'))
  // The service knows the speed of the voice from short texts, and connections are open: their handshakes are not measured.
  for (let turn = 0; turn < 20; turn++) await listeners[0].measure({ ...speech, text: 'Hi.' })
  await Promise.all(listeners.map((listener) => listener.open()))
  const results = await Promise.all(
    listeners.map(async (listener, index) => {
      await wait((index * arrivalMs) / listenerCount)
      return listenUntilTaken(listener, { ...speech, text: texts[index] })
    }),
  )
  for (const listener of listeners) listener.close()
  const taken = results.flatMap((one) => one.taken ?? [])
  const rejections = results.flatMap((one) => one.rejections)
  const firstTry = results.filter((one) => one.rejections.length === 0)
  const secondTry = results.filter((one) => one.taken && one.rejections.length === 1)
  return {
    listeners: listenerCount,
    taken: firstTry.length,
    takenInTime: secondTry.length / Math.max(1, listenerCount - firstTry.length),
    neverTaken: listenerCount - taken.length,
    startP99Ms: percentile(
      taken.map(({ firstMs }) => firstMs),
      99,
    ),
    silentMaxMs: percentile(
      taken.map(({ silentMs }) => silentMs),
      100,
    ),
    rejectedP99Ms: percentile([0, ...rejections.map(({ rejectedMs }) => rejectedMs)], 99),
    retryAfterMaxS: Math.max(0, ...rejections.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  }
}

/** @returns what was heard, unless it was rejected too often, and the rejections before. */
async function listenUntilTaken(listener, speech) {
  const rejections = []
  while (rejections.length < maxTries) {
    const measured = await listener.measure(speech)
    if (measured.rejectedMs === undefined) return { taken: measured, rejections }
    rejections.push(measured)
    await wait(measured.retryAfterSeconds * 1000)
  }
  return { rejections }
}

function createTexts() {
  const sentences = createSentences(listenerCount * 2)
  return Array.from({ length: listenerCount }, (_, index) =>
    Array.from({ length: sentencesPerText }, (_text, part) => {
      return sentences[(index * sentencesPerText + part) % sentences.length]
    }).join(' '),
  )
}
