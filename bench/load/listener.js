import { Agent, get, request } from 'node:http'

const sampleRateHertz = 24_000
const bytesPerSecond = { PCM: sampleRateHertz * 2, MP3: 128_000 / 8 }

/**
 * Requests speech over one connection and calculates how it would sound if it were played while it arrives.
 * @param apiKey Default: none.
 */
export function createListener(baseUrl, apiKey) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = new URL('/tts/v1/voice:stream', baseUrl)
  return {
    /** Opens the connection. */
    open: () =>
      new Promise((resolve, reject) => {
        const asking = get(new URL('/healthz', baseUrl), { agent }, (response) => {
          response.resume().once('end', resolve)
        })
        asking.once('error', reject)
      }),
    /**
     * Reads the whole response.
     * @returns the time to the first audio, the length of the audio, and the longest silence during playback. If the service is too
     * busy: `rejectedMs`, the time to the response, and when to try again, `retryAfterSeconds`.
     */
    async measure(speech) {
      const startedAt = performance.now()
      const response = await post(url, agent, toBody(speech), apiKey)
      if (response.statusCode === 429) {
        const rejectedMs = performance.now() - startedAt
        response.resume()
        return { rejectedMs, retryAfterSeconds: Number(response.headers['retry-after']) }
      }
      return measureResponse(response, startedAt, bytesPerSecond[speech.encoding])
    },
    close: () => agent.destroy(),
  }
}

function post(url, agent, body, apiKey) {
  const authorization = apiKey && { authorization: `Basic ${apiKey}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  return new Promise((resolve, reject) => {
    const posting = request(url, { method: 'POST', agent, headers }, resolve)
    posting.once('error', (error) => {
      // The service has closed the connection, which nobody used, at the moment at which the listener comes back.
      if (posting.reusedSocket && error.code === 'ECONNRESET') {
        resolve(post(url, agent, body, apiKey))
      } else reject(error)
    })
    posting.end(JSON.stringify(body))
  })
}

function toBody({ text, model, voice, encoding }) {
  const audioConfig = { audioEncoding: encoding, sampleRateHertz }
  return { text, modelId: model, voiceId: voice, audioConfig }
}

/** Counts the audio of every line without keeping it, because the audio of a long text would not fit into memory. */
async function measureResponse(response, startedAt, audioBytesPerSecond) {
  let firstMs
  let silentMs = 0
  let audioMs = 0
  let rest = ''
  for await (const bytes of response) {
    const atMs = performance.now() - startedAt
    const lines = (rest + bytes).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      firstMs ??= atMs
      silentMs = Math.max(silentMs, atMs - firstMs - audioMs)
      audioMs += (audioBytesOf(line) / audioBytesPerSecond) * 1000
    }
  }
  if (firstMs === undefined) throw new Error(`The response contains no audio: ${rest}`)
  return { firstMs, silentMs, audioSeconds: audioMs / 1000 }
}

function audioBytesOf(line) {
  const { result } = JSON.parse(line)
  if (!result) throw new Error(line)
  return Buffer.byteLength(result.audioContent, 'base64')
}
