import { Agent, request } from 'node:http'

const sampleRateHertz = 24_000
const bytesPerSecond = { PCM: sampleRateHertz * 2, MP3: 128_000 / 8 }

/** Somebody who asks for speech over one connection and would play it as it comes. */
export function createListener(baseUrl) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = new URL('/tts/v1/voice:stream', baseUrl)
  return {
    /**
     * Speaks the text to its end.
     * @returns how long the first audio took, how long it is, and for how long playing it would have stood still.
     */
    async hear(speech) {
      const startedAt = performance.now()
      const response = await post(url, agent, toBody(speech))
      return judge(response, startedAt, bytesPerSecond[speech.encoding])
    },
    close: () => agent.destroy(),
  }
}

function post(url, agent, body) {
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const posting = request(url, { method: 'POST', agent, headers }, resolve)
    posting.once('error', reject)
    posting.end(JSON.stringify(body))
  })
}

function toBody({ text, model, voice, encoding }) {
  const audioConfig = { audioEncoding: encoding, sampleRateHertz }
  return { text, modelId: model, voiceId: voice, audioConfig }
}

/** Counts the audio of every line and lets go of it: a long text has more of it than fits. */
async function judge(response, startedAt, audioBytesPerSecond) {
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
  if (firstMs === undefined) throw new Error(`No audio came: ${rest}`)
  return { firstMs, silentMs, audioSeconds: audioMs / 1000 }
}

function audioBytesOf(line) {
  const { result } = JSON.parse(line)
  if (!result) throw new Error(line)
  return Buffer.byteLength(result.audioContent, 'base64')
}
