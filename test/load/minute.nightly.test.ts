import { type Client, createClient, type SpeechRequest } from '@parlando/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceUnderLoad, startServiceUnderLoad } from './service.ts'

const listeners = 32
const minuteMs = 60_000
const abortEvery = 7
const mebibyte = 1024 * 1024

const texts = [
  'Good morning.',
  'The washing machine has finished, and the dryer needs another 20 minutes.',
  'Somebody is at the front door. It may be the parcel that you ordered, so please have a look!',
]
const layouts = [
  { audioEncoding: 'MP3', sampleRateHertz: 48_000 },
  { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
  { audioEncoding: 'LINEAR16', sampleRateHertz: 16_000 },
  { audioEncoding: 'WAV', sampleRateHertz: 22_050 },
] as const
const requests: SpeechRequest[] = ['Clara', 'Ralph', 'Angus', 'Kit'].flatMap((voiceId, voice) =>
  texts.flatMap((text, index) =>
    ['svc-tts-2', 'svc-tts-2-flash'].map((modelId) => ({
      text,
      voiceId,
      modelId,
      audioConfig: layouts[(voice + index) % layouts.length],
    })),
  ),
)

let service: ServiceUnderLoad
let client: Client
beforeAll(async () => {
  service = await startServiceUnderLoad()
  // The service takes as many listeners as it can serve without gaps; the others wait for their turn.
  client = createClient({ baseUrl: service.baseUrl, maxRetries: 10 })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

/** @param chunks the number of chunks after which the listener disconnects. @returns the received audio. */
async function readSpeech(
  request: SpeechRequest,
  chunks = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const received: Uint8Array[] = []
  for await (const { audio } of client.synthesizeStream(request)) {
    received.push(audio)
    if (received.length >= chunks) break
  }
  return Buffer.concat(received)
}

describe('thirty-two listeners for a minute', () => {
  it('receive the same audio as a single listener, and leave no threads, connections or memory', {
    timeout: 180_000,
  }, async () => {
    const references: Buffer[] = []
    for (const request of requests) references.push(await readSpeech(request))
    const before = await service.resources()
    const untilMs = performance.now() + minuteMs
    let requestCount = 0
    let matches = 0

    const listen = async () => {
      while (performance.now() < untilMs) {
        const number = requestCount++
        const index = (number * 5) % requests.length
        const disconnects = number % abortEvery === 0
        const received = await readSpeech(
          requests[index]!,
          disconnects ? 1 + (number % 3) : undefined,
        )
        const expected = references[index]!
        if (disconnects) expect(received.equals(expected.subarray(0, received.length))).toBe(true)
        else expect(received.equals(expected)).toBe(true)
        matches += 1
      }
    }
    await Promise.all(Array.from({ length: listeners }, listen))

    expect(matches).toBe(requestCount)
    expect(requestCount).toBeGreaterThan(listeners * 3)
    const connections = async () => (await service.resources()).connections
    await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(4)
    const after = await service.resources()
    expect(after.threads).toBeLessThanOrEqual(before.threads)
    expect(after.heapUsed - before.heapUsed).toBeLessThan(10 * mebibyte)
    expect(after.rss - before.rss).toBeLessThan(150 * mebibyte)
  })
})
