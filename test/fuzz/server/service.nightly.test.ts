import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { storeVoice } from '@parlando/test-support/local-service/stored-voice'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import {
  anyClone,
  anyRequest,
  type GivenRequest,
  hugeRequests,
} from '../inputs/service-requests.ts'

const lanes = 6
const goodSpeech = { text: 'Good night.', voiceId: 'Clara', modelId: 'svc-tts-2' }
const goodRequest: GivenRequest = {
  method: 'POST',
  path: '/tts/v1/voice',
  headers: { authorization: `Basic ${keys.service}` },
  body: JSON.stringify(goodSpeech),
}

let folder: string
let service: LocalService
let pool: Pool
let validResponse: ServiceResponse
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-fuzz-'))
  storeVoice(join(folder, 'data'))
  service = await startLocalService({
    apiKey: keys.service,
    dataFolder: join(folder, 'data'),
    warmUp: false,
  })
  // Shorter than the service's keep-alive time, to avoid a race on idle connections.
  pool = new Pool(service.baseUrl, { connections: lanes + 1, keepAliveTimeout: 500 })
  validResponse = await ask(goodRequest)
})
afterAll(async () => {
  await pool.close()
  await service.close()
  await rm(folder, { recursive: true })
})

interface ServiceResponse {
  status: number
  contentType: string
  body: string
}

async function ask({ method, path, headers, body }: GivenRequest): Promise<ServiceResponse> {
  const response = await pool.request({
    method: method as 'GET',
    path,
    headers,
    body: body === undefined ? null : Buffer.from(body, 'latin1'),
  })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return {
    status: response.statusCode,
    contentType: String(response.headers['content-type']),
    body: bytes.toString('latin1'),
  }
}

/** Less than the audio of one letter as PCM or MP3. */
const shortestSoundBytes = 1000

const message = expect.stringMatching(/^.{5,2000}$/su)
const problem = { code: expect.any(Number), message, details: [] }
const openAiProblem = {
  error: { message, type: expect.any(String), param: null, code: expect.any(String) },
}

/** A rejection is a protocol error with a reason; every other response is complete, and speech is audible. */
function expectResponse(
  { path }: GivenRequest,
  { status, contentType, body }: ServiceResponse,
): void {
  if (status !== 200) {
    expect(status === 501 || (status >= 400 && status < 500)).toBe(true)
    expect(JSON.parse(utf8(body))).toEqual(path.startsWith('/v1/') ? openAiProblem : problem)
  } else if (path === '/tts/v1/voice:stream') {
    const lines = body.trimEnd().split('\n')
    const sounds = lines.map((line) => soundOf(JSON.parse(line).result.audioContent))
    expect(Buffer.concat(sounds).length).toBeGreaterThan(shortestSoundBytes)
  } else if (contentType === 'application/json') {
    const json = JSON.parse(utf8(body))
    if ('audioContent' in json) {
      expect(soundOf(json.audioContent).length).toBeGreaterThan(shortestSoundBytes)
    }
  } else if (contentType.startsWith('text/event-stream')) {
    expect(body).toMatch(/data: \[DONE\]\n\n$/)
  } else if (contentType.startsWith('audio/')) {
    expect(body.length).toBeGreaterThan(shortestSoundBytes)
  } else {
    expect(contentType).toMatch(/^(text\/plain|application\/yaml)/)
    expect(body).not.toBe('')
  }
}

function soundOf(audioContent: string): Buffer {
  return Buffer.from(audioContent, 'base64')
}

function utf8(body: string): string {
  return Buffer.from(body, 'latin1').toString()
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Internals of the service that must not appear in a response. */
function expectNoInternals({ body }: ServiceResponse): void {
  for (const secret of [
    keys.service,
    repository,
    folder,
    'node_modules',
    'file:///',
    '\n    at ',
    // The same, escaped for JSON.
    String.raw`\n    at `,
  ]) {
    expect(body).not.toContain(secret)
  }
}

/** Measures a request while no other one runs, until the response begins. */
async function expectNoHold({ method, path, headers, body }: GivenRequest): Promise<void> {
  const held = await measureHold(async () => {
    const response = await pool.request({
      method: method as 'GET',
      path,
      headers,
      body: body === undefined ? null : Buffer.from(body, 'latin1'),
    })
    await response.body[Symbol.asyncIterator]().next()
    response.body.destroy()
  })
  expect(held, `${method} ${path} ${body?.slice(0, 200)}`).toBeLessThan(maxHoldMs)
}

describe('a request of any kind', () => {
  it('gets a valid response or a protocol error, and does not affect other requests', async () => {
    let requestCount = 0
    const watchdog = watchEventLoop<GivenRequest>()
    await fuzz(
      anyRequest,
      async (request) => {
        const response = await watchdog.watch(request, () => ask(request))
        expectResponse(request, response)
        expectNoInternals(response)
        requestCount += 1
        if (requestCount % 500 === 0) expect(await ask(goodRequest)).toEqual(validResponse)
      },
      { lanes },
    )
    expect(await ask(goodRequest)).toEqual(validResponse)
    for (const request of watchdog.stop()) await expectNoHold(request)
  })

  it('does not hold the event loop, however large it is', async () => {
    for (const request of hugeRequests) await expectNoHold(request)
  })

  it('gets a valid response or a protocol error for recordings of any kind', async () => {
    const spoken = ['MP3', 'WAV'].map(async (audioEncoding) => {
      const request = { ...goodSpeech, text: 'Hi.', audioConfig: { audioEncoding } }
      const { body } = await ask({ ...goodRequest, body: JSON.stringify(request) })
      return soundOf(JSON.parse(body).audioContent).toString('latin1')
    })
    const files = [...(await Promise.all(spoken)), '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x86']
    await fuzz(
      anyClone(files),
      async (request) => {
        const response = await ask(request)
        expectResponse(request, response)
        expectNoInternals(response)
      },
      // Each uses a separate thread.
      { lanes: 2, share: 0.002 },
    )
  })

  it('leaves only the files of voices and of jobs, and releases its memory', async () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))
    const voice = /^\/data(\/voices(\/local__[a-z0-9-]+\.json)?)?$/
    const job = /^\/data\/jobs(\/[0-9a-f]{32}(\/[a-z0-9.-]+)?)?$/
    for (const name of names) expect(voice.test(name) || job.test(name), name).toBe(true)
    const held = await heldMebibytes()
    // Voices, encoders and decoders are loaded on first use and stay loaded, but the same requests need no more memory.
    await fuzz(anyRequest, async (request) => expectResponse(request, await ask(request)), {
      lanes,
      share: 0.1,
    })
    expect((await heldMebibytes()) - held).toBeLessThan(16)
  })
})
