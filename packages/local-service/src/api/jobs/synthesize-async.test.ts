import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readWavHeader } from '@parlando/core/audio'
import { type JobStore, openDiskJobStore, openRedisJobStore } from '@parlando/store'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createTestApp, post, speechRequest } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { Scheduler } from '../../engines/schedule/scheduler.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { readJobEntry } from '../../jobs/job.ts'
import { Jobs } from '../../jobs/jobs.ts'
import { createVoiceList } from '../../voices/voice-list.ts'

const sentences = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} is not very long.`)
const longRequest = { ...speechRequest, text: sentences.join(' ') }

interface ServiceOptions {
  flite?: ReturnType<typeof createFakeEngine>
  /** Opens the store of its jobs. */
  open?: () => Promise<JobStore>
  apiKey?: string
}

/** A service whose engine notes what it speaks. */
async function openService(options: ServiceOptions = {}) {
  const { flite = createFakeEngine(), open = onDisk(), apiKey = '' } = options
  const spoken: string[] = []
  const { speakPhrase } = flite.engine
  flite.engine.speakPhrase = (phrase) => {
    spoken.push(phrase.text)
    return speakPhrase(phrase)
  }
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const engines = new Map([['flite', flite]])
  const voiceList = createVoiceList(undefined, engines)
  const service = { engines, voiceList, encoders: createEncoderPool() }
  const store = await open()
  const jobs = new Jobs({ store, service, onFailure, retryDelaysMs: [1, 1] })
  await jobs.start()
  onTestFinished(() => jobs.close())
  const app = createTestApp(flite, onFailure, voiceList, { jobs, ...(apiKey && { apiKey }) })
  const request = (path: string, method = 'GET') =>
    app.request(path.replace('http://localhost', ''), {
      method,
      headers: apiKey ? { authorization: `Basic ${apiKey}` } : {},
    })
  const read = async (name: string) => (await request(`/lro/v1alpha/${name}`)).json()
  return {
    app,
    jobs,
    spoken,
    failures,
    request,
    async submit(body: object, headers: Record<string, string> = {}) {
      const response = await app.request('/tts/v1/voice:synthesizeAsync', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...(apiKey && { authorization: `Basic ${apiKey}` }), ...headers },
      })
      return { status: response.status, operation: await response.json() }
    },
    read,
    ended: (name: string) =>
      expect.poll(() => read(name), { timeout: 20_000 }).toMatchObject({ done: true }),
  }
}

/** An engine that stops before one of its phrases until it may go on. */
function blockingEngine(atPhrase: number) {
  const flite = createFakeEngine()
  const { speakPhrase } = flite.engine
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  let phrases = 0
  flite.engine.speakPhrase = async (phrase) => {
    phrases += 1
    if (phrases === atPhrase) {
      reach()
      await opened
    }
    return speakPhrase(phrase)
  }
  return { flite, reached, open }
}

function onDisk(folder = temporaryFolder()) {
  return () => openDiskJobStore({ folder, readEntry: readJobEntry })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-jobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function inRedis() {
  const { url, close } = await startRedis()
  onTestFinished(() => close())
  return async () => {
    const store = await openRedisJobStore({ url })
    await vi.waitFor(() => store.totals('nobody'), 20_000)
    return store
  }
}

const stores = [
  ['in a folder', async () => onDisk(), {}],
  ['in Redis', inRedis, needs('redis-server')],
] as const

for (const [where, create, condition] of stores) {
  describe(`a long text ${where}`, condition, () => {
    it('becomes an operation, whose audio and times anybody with their addresses may read', async () => {
      const service = await openService({ open: await create(), apiKey: keys.service })
      const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 16_000 }
      const { operation } = await service.submit({
        ...longRequest,
        audioConfig,
        timestampType: 'WORD',
      })
      expect(operation).toMatchObject({ done: false, metadata: { spokenCharacters: 0 } })
      await service.ended(operation.name)
      const { response, metadata } = await service.read(operation.name)
      const { length } = longRequest.text
      expect(metadata).toEqual({ state: 'SUCCEEDED', characters: length, spokenCharacters: length })
      expect(Date.parse(response.expireTime)).toBeGreaterThan(Date.now())

      const get = async (uri: string) => service.app.request(uri.replace('http://localhost', ''))
      const audio = await get(response.audioUri)
      const bytes = new Uint8Array(await audio.arrayBuffer())
      expect(audio.headers.get('content-type')).toBe('audio/wav')
      expect(audio.headers.get('content-length')).toBe(String(bytes.length))
      expect(readWavHeader(bytes)).toMatchObject({ dataBytes: bytes.length - 44 })
      const times = await (await get(response.timestampsUri)).json()
      expect(times.timestampInfo.wordAlignment.words).toEqual([])
      const [, signature = ''] = response.audioUri.split('signature=')
      const forged = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
      expect((await get(response.audioUri.replace(signature, forged))).status).toBe(404)
      expect((await get(response.timestampsUri.replace(/[^=]*$/, signature))).status).toBe(404)
      expect((await get(`/lro/v1alpha/${operation.name}`)).status).toBe(401)
      expect(service.failures).toEqual([])
    })

    it('goes on after a restart with what is missing, and sounds the same', async () => {
      const gate = blockingEngine(30)
      const open = await create()
      const first = await openService({ open, flite: gate.flite })
      const { operation } = await first.submit(longRequest)
      await gate.reached
      const closing = first.jobs.close()
      gate.open()
      await closing
      const second = await openService({ open })
      await second.ended(operation.name)
      const again = second.spoken.filter((text) => first.spoken.includes(text))
      // At most one segment, which was not complete.
      expect(again.join(' ').length).toBeLessThan(500)
      expect(first.spoken.length).toBe(30)
      const whole = await openService()
      const { operation: other } = await whole.submit(longRequest)
      await whole.ended(other.name)
      expect([...new Set([...first.spoken, ...second.spoken])]).toEqual([...new Set(whole.spoken)])
      const bytesOf = async (service: typeof whole, name: string) => {
        const { response } = await service.read(name)
        return Buffer.from(await (await service.request(response.audioUri)).arrayBuffer())
      }
      expect(await bytesOf(second, operation.name)).toEqual(await bytesOf(whole, other.name))
    })

    it('is one job for each idempotency key, also after its end and a restart, until it is deleted', async () => {
      const open = await create()
      const first = await openService({ open })
      const key = { 'idempotency-key': 'chapter one' }
      const submissions = await Promise.all([1, 2].map(() => first.submit(speechRequest, key)))
      const [{ operation }] = submissions as [(typeof submissions)[0]]
      expect(new Set(submissions.map((one) => one.operation.name)).size).toBe(1)
      await first.ended(operation.name)
      await first.jobs.close()
      const second = await openService({ open })
      expect((await second.submit(speechRequest, key)).operation).toEqual(
        await second.read(operation.name),
      )
      const others = [
        await second.submit(speechRequest),
        await second.submit(speechRequest, { 'idempotency-key': 'chapter two' }),
        await second.submit(speechRequest, { ...key, authorization: `Basic ${keys.typed}` }),
      ]
      const names = [operation, ...others.map((one) => one.operation)].map(({ name }) => name)
      expect(new Set(names).size).toBe(4)
      await second.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      const { operation: again } = await second.submit(speechRequest, key)
      expect(again).toMatchObject({ name: operation.name, done: false })
      for (const { name } of [again, ...others.map((one) => one.operation)])
        await second.ended(name)
      expect([first.spoken.length, second.spoken.length]).toEqual([1, 4])
    })

    it('whose service is killed while it is submitted begins when it is submitted again', async () => {
      const open = await create()
      const store = await open()
      let reach = () => {}
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      const writePiece = () => {
        reach()
        return new Promise<void>(() => {})
      }
      const killed = await openService({
        open: async () => ({ ...store, writePiece, work() {} }),
      })
      const key = { 'idempotency-key': 'chapter one' }
      void killed.submit(speechRequest, key)
      await reached
      const service = await openService({ open })
      const { operation } = await service.submit(speechRequest, key)
      await service.ended(operation.name)
      expect([killed.spoken.length, service.spoken.length]).toEqual([0, 1])
    })

    it('is interrupted, resumed, and deleted', async () => {
      const gate = blockingEngine(5)
      const service = await openService({ open: await create(), flite: gate.flite })
      const { operation } = await service.submit(longRequest)
      await gate.reached
      const change = async (verb: string) =>
        (await service.request(`/lro/v1alpha/${operation.name}:${verb}`, 'POST')).json()
      expect(await change('pause')).toMatchObject({ done: false, metadata: { state: 'PAUSED' } })
      gate.open()
      await expect.poll(() => service.jobs.running).toBe(0)
      expect((await service.read(operation.name)).metadata.state).toBe('PAUSED')
      await change('resume')
      await service.ended(operation.name)
      const { audioUri } = (await service.read(operation.name)).response
      await service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
      expect((await service.request(`/lro/v1alpha/${operation.name}`)).status).toBe(404)
      expect((await service.request(audioUri)).status).toBe(404)
    })
  })
}

describe('a long text of several services that share a Redis', needs('redis-server'), () => {
  it('is interrupted, resumed, read and deleted through any of them', async () => {
    const open = await inRedis()
    const gate = blockingEngine(5)
    const first = await openService({ open, flite: gate.flite })
    const { operation } = await first.submit(longRequest)
    await gate.reached
    const second = await openService({ open })
    expect((await second.read(operation.name)).metadata.state).toBe('RUNNING')
    const change = async (verb: string) =>
      (await second.request(`/lro/v1alpha/${operation.name}:${verb}`, 'POST')).json()
    expect(await change('pause')).toMatchObject({ done: false, metadata: { state: 'PAUSED' } })
    gate.open()
    await expect.poll(() => first.jobs.running, { timeout: 20_000 }).toBe(0)
    await change('resume')
    await second.ended(operation.name)
    const { response } = await first.read(operation.name)
    const files = [first, second].map(async ({ request }) =>
      Buffer.from(await (await request(response.audioUri)).arrayBuffer()),
    )
    const [one, other] = await Promise.all(files)
    expect(one!.equals(other!)).toBe(true)
    await second.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
    expect((await first.request(`/lro/v1alpha/${operation.name}`)).status).toBe(404)
    expect([first.failures, second.failures]).toEqual([[], []])
  })

  it('cannot be submitted while Redis is away, and goes on when it is back', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const open = async () => {
      const store = await openRedisJobStore({ url: redis.url })
      await vi.waitFor(() => store.totals('nobody'), 20_000)
      return store
    }
    const gate = blockingEngine(20)
    const service = await openService({ open, flite: gate.flite })
    const { operation } = await service.submit(longRequest)
    await gate.reached
    redis.pause()
    const { status, operation: problem } = await service.submit(longRequest)
    expect([status, problem.message]).toEqual([503, expect.stringContaining('The store')])
    gate.open()
    redis.resume()
    await service.ended(operation.name)
    expect((await service.read(operation.name)).metadata.state).toBe('SUCCEEDED')
    expect(service.failures).toEqual([])
  })
})

describe('a long text', () => {
  it('has the audio that a stream has', async () => {
    const service = await openService()
    const request = {
      ...longRequest,
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
    }
    const { operation } = await service.submit(request)
    await service.ended(operation.name)
    const { audioUri } = (await service.read(operation.name)).response
    const audio = Buffer.from(await (await service.request(audioUri)).arrayBuffer())
    const stream = await (await post(service.app, '/tts/v1/voice:stream', request)).text()
    const chunks = stream
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).result.audioContent)
    expect(audio).toEqual(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, 'base64'))))
  })

  it('does not begin while it is interrupted, and leaves nothing if it is deleted before its turn', async () => {
    const gate = blockingEngine(1)
    const service = await openService({ flite: gate.flite })
    const { operation: running } = await service.submit({ ...longRequest, text: 'One moment.' })
    await gate.reached
    const waiting = { ...longRequest, text: 'Two people wait. They are patient.' }
    const { operation: paused } = await service.submit(waiting)
    const { operation: deleted } = await service.submit(waiting)
    await service.request(`/lro/v1alpha/${paused.name}:pause`, 'POST')
    await service.request(`/lro/v1alpha/${deleted.name}`, 'DELETE')
    const { operation: last } = await service.submit({ ...longRequest, text: 'The end.' })
    gate.open()
    await service.ended(running.name)
    await service.ended(last.name)
    expect(service.spoken.filter((text) => text.includes('people'))).toEqual([])
    expect((await service.read(paused.name)).metadata.state).toBe('PAUSED')
    expect(service.failures).toEqual([])
  })

  it('is rejected if it needs more than half of the space that all callers have', async () => {
    const gate = blockingEngine(1)
    const service = await openService({ flite: gate.flite })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 48_000 } as const
    const request = { ...longRequest, text: 'a '.repeat(50_000), audioConfig }
    const submit = (caller: string) =>
      service.jobs.submit({ kind: 'speech', items: [{ request }], caller })
    await submit('one')
    await expect(submit('one')).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    await submit('another')
    gate.open()
  })

  it('leaves neither files nor failures if it is deleted while it is spoken', async () => {
    const gate = blockingEngine(30)
    const folder = temporaryFolder()
    const service = await openService({ open: onDisk(folder), flite: gate.flite })
    const { operation } = await service.submit(longRequest)
    await gate.reached
    const deleting = service.request(`/lro/v1alpha/${operation.name}`, 'DELETE')
    gate.open()
    expect((await deleting).status).toBe(200)
    await expect.poll(() => service.jobs.running).toBe(0)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect(service.failures).toEqual([])
  })

  it('does not hold up the next one if its rest cannot be removed', async () => {
    const gate = blockingEngine(1)
    const store = await onDisk()()
    const failure = new Error('the disk has failed')
    let removed = 0
    const remove = async (id: string) => {
      removed += 1
      if (removed > 1) throw failure
      await store.remove(id)
    }
    const service = await openService({
      open: async () => ({ ...store, remove }),
      flite: gate.flite,
    })
    const { operation: deleted } = await service.submit(longRequest)
    const { operation: next } = await service.submit(speechRequest)
    await gate.reached
    const deleting = service.request(`/lro/v1alpha/${deleted.name}`, 'DELETE')
    gate.open()
    expect((await deleting).status).toBe(200)
    await service.ended(next.name)
    expect(service.failures).toEqual([failure])
  })

  it('has a file of which a player reads the part that it seeks', async () => {
    const service = await openService()
    const { operation } = await service.submit({ ...speechRequest, text: 'The door is open.' })
    await service.ended(operation.name)
    const { audioUri } = (await service.read(operation.name)).response
    const path = audioUri.replace('http://localhost', '')
    const get = async (headers: Record<string, string>) => {
      const response = await service.app.request(path, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const whole = await get({})
    const { length } = whole.bytes
    expect(whole.response.headers.get('accept-ranges')).toBe('bytes')
    const part = await get({ range: `bytes=100-${length - 2}` })
    expect(part.response.status).toBe(206)
    expect(part.response.headers.get('content-range')).toBe(`bytes 100-${length - 2}/${length}`)
    expect(part.response.headers.get('content-length')).toBe(`${length - 101}`)
    expect(part.bytes).toEqual(whole.bytes.subarray(100, -1))
    expect((await get({ range: 'bytes=-10' })).bytes).toEqual(whole.bytes.subarray(-10))
    const beyond = await get({ range: `bytes=${length}-` })
    expect(beyond.response.status).toBe(416)
    expect(beyond.response.headers.get('content-range')).toBe(`bytes */${length}`)
    const other = await get({ range: 'bytes=0-9', 'if-range': '"another file"' })
    expect([other.response.status, other.bytes.length]).toEqual([200, length])
    const etag = whole.response.headers.get('etag')!
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).bytes).toHaveLength(10)
  })

  it.each([
    ['an unknown voice', { voiceId: 'Nobody' }, 404],
    ['a text above the limit', { text: 'a '.repeat(50_001) }, 400],
    ['no text', { text: ' ' }, 400],
    [
      'an unsupported format',
      { audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 8000 } },
      400,
    ],
  ])('is rejected at once: %s', async (_what, change, status) => {
    const service = await openService()
    expect((await service.submit({ ...longRequest, ...change })).status).toBe(status)
  })

  it.each([
    ['an idempotency key with another text', 'chapter one', 422],
    ['an empty idempotency key', '', 400],
    ['a long idempotency key', 'a'.repeat(256), 400],
  ])('is rejected at once: %s', async (_what, key, status) => {
    const service = await openService()
    await service.submit(speechRequest, { 'idempotency-key': 'chapter one' })
    const response = await service.submit(longRequest, { 'idempotency-key': key })
    expect([response.status, response.operation.code]).toEqual([status, 3])
    expect(response.operation.message).toMatch(/^Idempotency-Key: /)
  })

  it('fails with the error of the engine, after further attempts if that can help', async () => {
    const flite = createFakeEngine()
    let calls = 0
    flite.engine.speakPhrase = async () => {
      calls += 1
      throw new EngineError('unavailable', 'The engine is away')
    }
    const service = await openService({ flite })
    const { operation } = await service.submit(speechRequest)
    await service.ended(operation.name)
    expect(await service.read(operation.name)).toMatchObject({
      metadata: { state: 'FAILED' },
      error: { code: 14, message: 'The engine is away' },
    })
    expect(calls).toBe(3)
  })

  it('lets a listener go first, also when the engine speaks one phrase at a time', async () => {
    const gate = blockingEngine(3)
    const scheduler = new Scheduler(1)
    const service = await openService({ flite: { ...gate.flite, scheduler } })
    await service.submit(longRequest)
    await gate.reached
    const listening = post(service.app, '/tts/v1/voice', { ...speechRequest, text: 'Who is it?' })
    await expect.poll(() => scheduler.waiting).toBe(1)
    gate.open()
    expect((await listening).status).toBe(200)
    expect(service.spoken.indexOf('Who is it?')).toBe(3)
  })
})
