import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, createClient, ParlandoError } from '@parlando/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzz } from './cases.ts'

const request = { text: 'Hi.', voiceId: 'Clara', modelId: 'svc-tts-2' }

/** What the server answers, by the voice that is asked for. */
const answers = new Map<string, (response: ServerResponse) => void>()
const server = createServer((incoming, response) => {
  const pieces: Buffer[] = []
  incoming.on('data', (piece) => pieces.push(piece))
  incoming.on('end', () => {
    const { voiceId } = JSON.parse(Buffer.concat(pieces).toString())
    answers.get(voiceId)!(response)
  })
})
let client: Client
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = createClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 })
})
afterAll(async () => {
  await client.close()
  server.close()
})

let calls = 0
async function hear(bytes: Uint8Array) {
  const voiceId = `${++calls}`
  answers.set(voiceId, (response) => response.end(bytes))
  const heard: Uint8Array[] = []
  try {
    await client
      .synthesizeStream({ ...request, voiceId })
      .consume(({ audio }) => void heard.push(audio))
  } catch (error) {
    if (!ParlandoError.isInstance(error)) throw error
  } finally {
    answers.delete(voiceId)
  }
  return Buffer.concat(heard)
}

it('bytes of any kind give audio or an error of the package', async () => {
  const bytes = fc.uint8Array({ maxLength: 500 })
  await fuzz(bytes, async (given) => void expect(await hear(given)).toBeInstanceOf(Buffer), {
    lanes: 8,
  })
})
