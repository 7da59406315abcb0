import { Agent, request } from 'node:http'

const defaultRateHertz = 24_000

/** Sends requests without the client of this project, because that client is one of the things to measure. */
export function createRawClient({ baseUrl, apiKey }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = new URL('/tts/v1/voice:stream', baseUrl)
  const headers = { authorization: `Basic ${apiKey}`, 'content-type': 'application/json' }
  return {
    /** Reads the whole response. @returns the time to the first bytes of audio. */
    firstByteMs: (speech) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(toBody(speech))
        const startedAt = performance.now()
        const post = request(url, { method: 'POST', agent, headers }, (response) => {
          response.once('data', (bytes) => {
            const firstByteMs = performance.now() - startedAt
            // An error has a first byte, too, and it arrives sooner.
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

function toBody({ text, model, voice, encoding, sampleRateHertz = defaultRateHertz }) {
  const audioConfig = { audioEncoding: encoding, sampleRateHertz }
  return { text, modelId: model, voiceId: voice, audioConfig }
}
