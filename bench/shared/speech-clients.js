// The same request, sent by different clients. Each has its own connections and calls back with audio while it arrives.
// Each is loaded when it is created, because one bench measures the memory of a process with a single client.
import { once } from 'node:events'

const apiKey = 'bench'
const speech = {
  text: 'Good morning, the washing machine has finished.',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
}
const post = {
  method: 'POST',
  headers: { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' },
}

/** Each takes the address of the service and returns `speak(onAudio)`, which resolves at the end, and `close()`. */
export const speechClients = {
  'parlando, for await': async (baseUrl) => {
    const { createClient } = await import('@parlando/core')
    const client = createClient({ baseUrl, apiKey })
    const speak = async (onAudio) => {
      for await (const { audio } of client.synthesizeStream(speech)) onAudio(audio)
    }
    return { speak, close: () => client.close() }
  },
  'parlando, callback': async (baseUrl) => {
    const { createClient } = await import('@parlando/core')
    const client = createClient({ baseUrl, apiKey })
    const speak = (onAudio) =>
      client.synthesizeStream(speech).consume(({ audio }) => onAudio(audio))
    return { speak, close: () => client.close() }
  },
  'undici.request + same decoder': async (baseUrl) => {
    const { Agent, request } = await import('undici')
    const { createDecoder } = await import('./core-internals.js')
    const dispatcher = new Agent()
    const url = urlOf(baseUrl)
    const speak = async (onAudio) => {
      const { body } = await request(url, { dispatcher, ...post, body: JSON.stringify(speech) })
      await decode(body, createDecoder(onAudio))
    }
    return { speak, close: () => dispatcher.destroy() }
  },
  'node:http + same decoder': async (baseUrl) => {
    const { Agent, request } = await import('node:http')
    const { createDecoder } = await import('./core-internals.js')
    const agent = new Agent({ keepAlive: true })
    const url = urlOf(baseUrl)
    const speak = async (onAudio) => {
      const outgoing = request(url, { agent, ...post })
      outgoing.end(JSON.stringify(speech))
      const [response] = await once(outgoing, 'response')
      await decode(response, createDecoder(onAudio))
    }
    return { speak, close: () => agent.destroy() }
  },
  'fetch + LiveKit loop': (baseUrl) => withFetch(baseUrl, 'readLikeLiveKit'),
  'fetch + openai Stream': (baseUrl) => withFetch(baseUrl, 'readWithOpenAi'),
  'fetch + elevenlabs Stream': (baseUrl) => withFetch(baseUrl, 'readWithElevenLabs'),
}

async function withFetch(baseUrl, loopName) {
  const { Agent, fetch } = await import('undici')
  const { [loopName]: read } = await import('./peer-loops.js')
  const dispatcher = new Agent()
  const url = urlOf(baseUrl)
  const speak = async (onAudio) => {
    const { body } = await fetch(url, { dispatcher, ...post, body: JSON.stringify(speech) })
    await read(body, onAudio)
  }
  return { speak, close: () => dispatcher.destroy() }
}

function decode(stream, decoder) {
  stream.on('data', decoder.push)
  return new Promise((resolve, reject) => {
    stream.once('end', () => {
      decoder.end()
      resolve()
    })
    stream.once('error', reject)
  })
}

function urlOf(baseUrl) {
  return new URL('/tts/v1/voice:stream', baseUrl).href
}
