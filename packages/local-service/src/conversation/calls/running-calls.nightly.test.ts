import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { call } from '@parlando/test-support/local-service/clients/call-client'
import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import {
  createFakeRecogniser,
  type FakeRecogniser,
} from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { createRandom } from '@parlando/test-support/vitest/random'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics, type Metrics } from '../../metrics/service-metrics.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { maxSessions } from '../session-connection.ts'
import { type Calls, createCalls } from './running-calls.ts'

const testApp = useTestApp()
const limit = { timeout: 60_000 }
const hertz = 24_000
const voice = (seconds: number) => voicedSound({ seconds, sampleRateHertz: hertz })

const formPart = (name: string, content: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n--x--`

const findWebRtc = () => createRequire(import.meta.url).resolve('@parlando/webrtc')

/** Whether the service still receives packets there. */
async function isOpen(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
    socket.close()
    return false
  } catch {
    return true
  }
}

const processOfCalls = () =>
  runningChildProcesses().find(({ spawnargs }) =>
    spawnargs.some((one) => /calls-program/.test(one)),
  )

interface Service {
  url: string
  baseUrl: string
  recogniser: FakeRecogniser
  calls: Calls
  metrics: Metrics
  warnings: string[]
}

async function open({
  connectLimitMs,
  allowOrigins,
}: {
  connectLimitMs?: number
  allowOrigins?: string[]
} = {}): Promise<Service> {
  const recogniser = createFakeRecogniser()
  recogniser.utterance = { text: 'One two three four.' }
  const warnings: string[] = []
  const calls = createCalls({
    isLocal: true,
    findWebRtc,
    connectLimitMs,
    warn: (message) => warnings.push(message),
  })
  onTestFinished(() => calls.close())
  const metrics = createMetrics({ engines: new Map(), voiceList: createVoiceList() })
  const fail = (error: unknown) => {
    throw error
  }
  const app = createTestApp(testApp.flite, fail, undefined, {
    calls,
    metrics,
    allowOrigins,
    recognisers: new Map([['fake', recogniser]]),
  })
  const { baseUrl } = await openTestServer({ fetch: app.fetch })
  return { url: `${baseUrl}/v1/realtime/calls`, baseUrl, recogniser, calls, metrics, warnings }
}

describe('a call', () => {
  it('holds a conversation, in which the service plays the sound', async () => {
    const { url } = await open()
    const client = await call(`${url}?model=gpt-realtime`)
    expect(client.response.status).toBe(201)
    expect(client.response.headers.get('location')).toMatch(/^\/v1\/realtime\/calls\/rtc_/)
    expect(await client.next('session.created')).toMatchObject({
      session: { model: 'gpt-realtime' },
    })
    const input = { transcription: {}, format: { type: 'audio/pcmu' } } as const
    // The response of the echo begins with a long explanation.
    client.send({ type: 'session.update', session: { audio: { input }, max_output_tokens: 5 } })
    expect(await client.next('session.updated')).toMatchObject({
      session: { audio: { input: { format: { type: 'audio/pcm', rate: hertz } } } },
    })
    client.say(voice(0.6))
    expect(
      await client.next('conversation.item.input_audio_transcription.completed'),
    ).toMatchObject({ transcript: 'One two three four.' })
    const { response_id } = await client.next('output_audio_buffer.started')
    expect(await client.next('response.done')).toMatchObject({ response: { id: response_id } })
    expect(await client.next('output_audio_buffer.stopped')).toMatchObject({ response_id })

    const types: string[] = client.events.map(({ type }) => type)
    expect(types).not.toContain('response.output_audio.delta')
    const pcm = Buffer.concat(client.heard)
    const loud = Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(2 * index))
    expect(loud.filter((sample) => Math.abs(sample) > 1000).length / hertz).toBeGreaterThan(0.5)
  })

  it('is silent as soon as the client clears the sound', async () => {
    const { url } = await open()
    const client = await call(url, (sdp) => ({
      body: JSON.stringify({ sdp, session: { instructions: 'Be kind.', model: 'auto' } }),
      headers: { 'content-type': 'application/json' },
    }))
    expect(await client.response.json()).toMatchObject({ id: expect.any(String), ice_servers: [] })
    expect(await client.next('session.updated')).toMatchObject({
      session: { instructions: 'Be kind.' },
    })
    const content = [{ type: 'input_text' as const, text: 'Say this sentence. '.repeat(20) }]
    client.send(
      { type: 'conversation.item.create', item: { type: 'message', role: 'user', content } },
      { type: 'response.create' },
    )
    await client.next('output_audio_buffer.started')
    await expect.poll(() => client.heard.length, limit).toBeGreaterThan(5)
    client.send({ type: 'output_audio_buffer.clear' })
    expect(await client.next('response.done')).toMatchObject({ response: { status: 'cancelled' } })
    await client.next('output_audio_buffer.cleared')
    client.sendText('not JSON')
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_argument' } })
  })

  it('can be offered in a form, as in the examples of OpenAI', async () => {
    const { url } = await open()
    const client = await call(url, (sdp) => {
      const body = new FormData()
      body.set('sdp', sdp)
      body.set('session', JSON.stringify({ instructions: 'Be kind.', model: 'gpt-realtime' }))
      return { body }
    })
    expect(client.response.status).toBe(201)
    expect(client.response.headers.get('content-type')).toBe('application/sdp')
    expect(await client.next('session.updated')).toMatchObject({
      session: { instructions: 'Be kind.', model: 'gpt-realtime' },
    })
  })

  it('counts as a session until the client hangs up', async () => {
    const { url, baseUrl, recogniser, metrics } = await open()
    const path = '/v1/realtime'
    const sockets = Array.from({ length: maxSessions - 1 }, () => connectSocket(baseUrl, path))
    await Promise.all(sockets)
    const client = await call(url)
    await client.next('session.created')
    client.say(voice(0.6))
    await expect.poll(() => metrics.sockets.sessions, limit).toBe(maxSessions)
    const rejected = await call(url)
    expect(rejected.response.status).toBe(429)
    expect(await rejected.response.json()).toMatchObject({
      error: { message: expect.stringContaining(`at most ${maxSessions} conversations`) },
    })
    await client.hangUp()
    await expect.poll(() => metrics.sockets.sessions, limit).toBe(maxSessions - 1)
    const isFree = () =>
      connectSocket(baseUrl, path).then(
        () => true,
        () => false,
      )
    await expect.poll(isFree, limit).toBe(true)
    expect(recogniser.running).toBe(0)
  })

  it('survives packets of strangers', async () => {
    const { url } = await open()
    const client = await call(url)
    await client.next('session.created')
    const stranger = createSocket('udp4')
    const random = createRandom(1)
    for (let count = 0; count < 300; count++) {
      const bytes = Buffer.from(Array.from({ length: 1 + random() * 200 }, () => random() * 256))
      // The first byte distinguishes STUN, DTLS and RTP.
      bytes[0] = [0, 1, 20, 22, 23, 128, 200][count % 7]!
      stranger.send(bytes, client.servicePort(), '127.0.0.1')
    }
    client.send({ type: 'session.update', session: { instructions: 'Be kind.' } })
    await client.next('session.updated')
    stranger.close()
    await once(stranger, 'close')
  })

  it('whose session fails is closed, and the failure is reported', async () => {
    const failure = new Error('the session failed')
    const failures: unknown[] = []
    const { calls } = await open()
    let ended: Promise<void> | undefined
    const { baseUrl } = await openTestServer({
      async fetch(request) {
        const accepted = await calls.accept(await request.text(), {
          serve: () => Promise.reject(failure),
          onFailure: (error) => failures.push(error),
        })
        ended = accepted.ended
        return new Response(accepted.answer, { status: 201 })
      },
    })
    const client = await call(baseUrl)
    await ended
    expect(failures).toEqual([failure])
    await expect.poll(() => isOpen(client.servicePort()), limit).toBe(false)
  })

  it('ends when the service stops, and frees its ports', async () => {
    const { url, calls, recogniser } = await open()
    const client = await call(url)
    await client.next('session.created')
    client.say(voice(0.6))
    expect(await isOpen(client.servicePort())).toBe(true)
    await calls.close()
    expect(recogniser.running).toBe(0)
    expect(await isOpen(client.servicePort())).toBe(false)
    expect(processOfCalls()).toBeUndefined()
  })

  it('ends with an error in the log when its process ends, and the next call works', async () => {
    const { url, warnings, metrics } = await open()
    const client = await call(url)
    await client.next('session.created')
    processOfCalls()!.kill('SIGKILL')
    await expect.poll(() => metrics.sockets.sessions, limit).toBe(0)
    expect(warnings).toEqual([
      'The process of calls over WebRTC has ended. Calls that ended with it: 1',
    ])
    const next = await call(url)
    await next.next('session.created')
  })

  it('can be ended over HTTP, with the id of its location', async () => {
    const { url, baseUrl, metrics } = await open()
    const client = await call(url)
    await client.next('session.created')
    const hangUp = () =>
      fetch(`${baseUrl}${client.response.headers.get('location')}/hangup`, { method: 'POST' })
    expect((await hangUp()).status).toBe(200)
    await expect.poll(() => metrics.sockets.sessions, limit).toBe(0)
    expect(await isOpen(client.servicePort())).toBe(false)
    const again = await hangUp()
    expect(again.status).toBe(404)
    expect(await again.json()).toMatchObject({ error: { message: /^There is no call rtc_/ } })
  })

  it('shows a web page its id', async () => {
    const { url } = await open({ allowOrigins: ['*'] })
    const client = await call(url, (body) => ({
      body,
      headers: { 'content-type': 'application/sdp', origin: 'https://example.com' },
    }))
    expect(client.response.headers.get('access-control-expose-headers')).toMatch(/location/i)
  })
})

describe('an offer', () => {
  const offerOf = async (baseUrl: string) => (await call(`${baseUrl}/v1/unknown`)).offer
  const post = (url: string, body: string) => fetch(url, { method: 'POST', body })
  const portOf = async (response: Response) =>
    Number(/^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) /m.exec(await response.text())?.[1])

  it('whose client does not connect becomes invalid', async () => {
    const { url, baseUrl } = await open({ connectLimitMs: 100 })
    const response = await post(url, await offerOf(baseUrl))
    expect(response.status).toBe(201)
    const port = await portOf(response)
    await expect.poll(() => isOpen(port), limit).toBe(false)
  })

  it('takes no session before its client connects, and makes room for new ones', async () => {
    const { url, baseUrl } = await open()
    const offer = await offerOf(baseUrl)
    const ports: number[] = []
    for (let count = 0; count <= maxSessions; count++) {
      const response = await post(url, offer)
      expect(response.status).toBe(201)
      ports.push(await portOf(response))
    }
    await expect.poll(() => isOpen(ports[0]!), limit).toBe(false)
    expect(await isOpen(ports[1]!)).toBe(true)
    const sockets = Array.from({ length: maxSessions - 1 }, () =>
      connectSocket(baseUrl, '/v1/realtime'),
    )
    await Promise.all(sockets)
    const client = await call(url)
    await client.next('session.created')
  })

  // All with one service, since each starts a process.
  it('is rejected with the reason if its offer is not valid', async () => {
    const { url } = await open()
    const offers = [
      ['text/plain', 'hello', 'sdp: the offer is not SDP: its first line must be v=0'],
      ['application/sdp', 'v=0\r\nm=video 9', 'sdp: the offer has 0 lines m=audio'],
      [
        'application/sdp',
        'v=0\nm=audio x\nm=application\na=ice-ufrag:\na=ice-pwd:\na=fingerprint:\na=rtpmap:1 opus/48000/2',
        'sdp: the offer is malformed',
      ],
      ['application/json', '{"session":{}}', 'sdp is missing'],
      ['multipart/form-data; boundary=x', formPart('session', '{}'), 'sdp is missing'],
      ['multipart/form-data; boundary=x', formPart('session', '{'), 'session is not JSON'],
    ] as const
    for (const [type, body, problem] of offers) {
      const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
      expect(response.status, problem).toBe(400)
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining(problem) },
      })
    }
  })
})
