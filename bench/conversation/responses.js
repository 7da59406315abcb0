import { setTimeout } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { createSentenceCutter } from '@parlando/core/text'
import { createSentences } from '../shared/sentences.js'

const responses = 100
const sentencesPerResponse = 3
const tokensPerSecond = 30
const tokenCharacters = 4
/** As the node chat. */
const openingCharacters = 18
const settings = {
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
}

/**
 * Speaks responses while they are written: with a request for each sentence, and through a connection for all of them, as chat
 * and speak do. Both take turns. @returns the times from the first token to the first audio.
 */
export async function measureResponses(baseUrl) {
  const client = createClient({ baseUrl })
  const socket = client.speechSocket()
  await socket.opened()
  const request = {
    speak: (text) => client.synthesizeStream({ ...settings, text }),
    cutter: () => createSentenceCutter(),
    timesMs: [],
  }
  const connection = {
    speak(text) {
      const context = socket.context(settings)
      context.write(text)
      context.end()
      return context
    },
    cutter: () => createSentenceCutter({ openingCharacters }),
    timesMs: [],
  }
  const sentences = createSentences(sentencesPerResponse * (responses + 1))
  for (let response = 0; response <= responses; response++) {
    const text = sentences.splice(0, sentencesPerResponse).join(' ')
    for (const way of response % 2 ? [connection, request] : [request, connection]) {
      const timeMs = await firstAudioMs(text, way)
      // The first response warms up.
      if (response > 0) way.timesMs.push(timeMs)
    }
  }
  await socket.close()
  await client.close()
  return { requestMs: request.timesMs, connectionMs: connection.timesMs }
}

async function firstAudioMs(text, { speak, cutter: createCutter }) {
  const cutter = createCutter()
  const startedAt = performance.now()
  for (let token = 0; ; token++) {
    const start = token * tokenCharacters
    await setTimeout(Math.max(0, startedAt + (1000 * token) / tokensPerSecond - performance.now()))
    const written = text.slice(start, start + tokenCharacters)
    const [first] = written ? cutter.push(written) : cutter.end()
    if (first === undefined) continue
    for await (const { audio } of speak(first)) {
      if (audio.length > 0) return performance.now() - startedAt
    }
  }
}
