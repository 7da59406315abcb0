import { Agent, request } from 'node:http'

const sampleRateHertz = 24_000

/** Speaks to the service without the client of this project, which is a thing to measure and not to measure with. */
export function createRawClient({ baseUrl, apiKey }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = new URL('/tts/v1/voice:stream', baseUrl)
  const headers = { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' }
  return {
    /** Speaks the text to its end. @returns how long the first bytes of audio took. */
    firstByteMs: (speech) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(toBody(speech))
        const startedAt = performance.now()
        const post = request(url, { method: 'POST', agent, headers }, (response) => {
          response.once('data', (bytes) => {
            const firstByteMs = performance.now() - startedAt
            // An error also has a first byte, and it is there sooner.
            if (!bytes.includes('"audioContent"')) reject(new Error(bytes.toString()))
            response.once('end', () => resolve(firstByteMs))
          })
          response.once('error', reject)
        })
        post.once('error', reject)
        post.end(body)
      }),
    close: () => agent.destroy(),
  }
}

function toBody({ text, model, voice, encoding }) {
  const audioConfig = { audioEncoding: encoding, sampleRateHertz }
  return { text, modelId: model, voiceId: voice, audioConfig }
}
