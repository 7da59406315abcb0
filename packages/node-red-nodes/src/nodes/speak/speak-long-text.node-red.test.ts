import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  lastStatus,
  speak,
  speakAndCatch,
  useSpeak,
} from '@parlando/test-support/node-red/flows/speak-flow'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

const { loadSpeak, deleteSpeak, unload, userFolder } = useSpeak()
const file = join(userFolder, 'parlando/long-texts.json')
const budgetFile = join(userFolder, 'parlando/budgets.json')

const sentence = 'It was a dark night, and nobody was awake. '
const book = `# The door\n${sentence.repeat(60)}\n\n# The light\n${sentence.repeat(40)}`
const settings = { output: 'whole', encoding: 'PCM' }

interface ServiceOptions {
  audio?: Buffer
  isDone?: boolean
  warnings?: readonly object[]
  /** When it names a submitted job. */
  named?: Promise<void>
  onSubmission?(): void
}

/** A service whose jobs are done when the test says so, and that has one job for each idempotency key. It counts what was submitted. */
async function serviceWithJobs(options: ServiceOptions = {}) {
  const { audio = Buffer.alloc(400, 'x'), isDone = false, named, onSubmission } = options
  const { warnings } = options
  const submitted = new Map<unknown, number>()
  const jobs: { text: string; isDone: boolean; isRemoved: boolean; verbs: string[] }[] = []
  const server = await startTestServer(async (response, { method, url = '', headers }, bytes) => {
    const [, id = '', verb] = /operations\/(\d+)(?::(\w+))?/.exec(url) ?? []
    const name = (index: number | string) => `ttsAsyncJobs/${index}/operations/${index}`
    if (url.endsWith(':synthesizeAsync')) {
      const key = headers['idempotency-key']
      const { text } = JSON.parse(Buffer.from(bytes).toString())
      const newJob = () => jobs.push({ text, isDone, isRemoved: false, verbs: [] }) - 1
      const index = submitted.get(key) ?? newJob()
      submitted.set(key, index)
      onSubmission?.()
      await named
      return void response.end(JSON.stringify({ name: name(index), done: false }))
    }
    if (url.startsWith('/files/')) return void response.end(audio)
    const job = jobs[Number(id)]
    if (!job || job.isRemoved)
      return void response.writeHead(404).end('{"code":5,"message":"gone"}')
    if (method === 'DELETE') job.isRemoved = true
    if (verb) job.verbs.push(verb)
    const { length } = job.text
    const metadata = { characters: length, spokenCharacters: Math.round(length / 2) }
    const uri = `http://${headers.host}/files/${id}`
    const response_ = job.isDone ? { response: { audioUri: uri, warnings } } : {}
    response.end(JSON.stringify({ name: name(id), done: job.isDone, metadata, ...response_ }))
  })
  return { server, jobs }
}

/** Silent frames of 24 ms, with 128 kbit/s at 48 kHz. */
function silentMp3(frames: number): Buffer {
  const frame = Buffer.alloc(384)
  frame.writeUInt32BE(0xfffb9464, 0)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

const load = (baseUrl: string, speak: object = {}) =>
  loadSpeak({ baseUrl, speak: { ...settings, ...speak } })

describe('a long text that is wanted whole', () => {
  it('becomes one MP3 with chapters', async () => {
    const { server, jobs } = await serviceWithJobs({ audio: silentMp3(50), isDone: true })
    const flow = await load(server.baseUrl, { encoding: 'MP3', sampleRate: 48_000 })
    const [message] = await speak(flow, { payload: book, topic: 'book' })
    const { chapters, audio, payload } = message as unknown as {
      chapters: { title: string; startSeconds: number; endSeconds: number }[]
      audio: { durationSeconds: number; bytes: number }
      payload: Buffer
    }
    expect(jobs.map(({ text }) => text.split('\n')[0])).toEqual(['The door.', 'The light.'])
    expect(chapters.map(({ title }) => title)).toEqual(['The door', 'The light'])
    expect(chapters[1]!.startSeconds).toBe(chapters[0]!.endSeconds)
    expect(chapters[1]!.endSeconds).toBeCloseTo(audio.durationSeconds, 1)
    expect(payload.toString('latin1', 0, 3)).toBe('ID3')
    expect(audio).toMatchObject({ bytes: payload.length, mediaType: 'audio/mpeg' })
    expect(message).toMatchObject({ topic: 'book' })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green', text: 'speak.status.spoke-long' })
  })

  it.each(['mp3', 'wav', 'Pcm'])('may have an encoding in any case: %s', async (encoding) => {
    const { server } = await serviceWithJobs({ isDone: true })
    const flow = await load(server.baseUrl)
    const audioConfig = { audioEncoding: encoding }
    const [message] = await speak(flow, { payload: book, audioConfig })
    const audioEncoding = encoding.toUpperCase()
    expect(message).toMatchObject({ audio: { encoding: audioEncoding } })
    expect(server.requests[0]!.body).toMatchObject({ audioConfig: { audioEncoding } })
  })

  it.each([
    { audioConfig: { audioEncoding: 'AAC' }, problem: 'audioConfig.audioEncoding must be one of' },
    { speechOptions: { temperature: 1n }, problem: 'temperature must be a number' },
  ])('is not requested with wrong settings: $problem', async ({ problem, ...settings }) => {
    const { server } = await serviceWithJobs()
    const flow = await load(server.baseUrl)
    const { error } = await speakAndCatch(flow, { payload: book, ...settings })
    expect(error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(error.message).toContain(problem)
    expect(server.requests).toEqual([])
  })

  it('shows its progress, and deletes its jobs at the service when it was sent', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toBe('speak.status.long'))
    jobs[0]!.isDone = true
    await vi.waitFor(() => expect(jobs.length).toBe(2), 20_000)
    expect(jobs.map(({ text }) => text.split('\n')[0])).toEqual(['The door.', 'The light.'])
    jobs[1]!.isDone = true
    const [message] = await flow.waitFor('out', 1)
    expect((message!.payload as Buffer).length).toBe(800)
    await flow.waitFor('completed', 1)
    expect(jobs.every(({ isRemoved }) => isRemoved)).toBe(true)
  })

  it('is paused and resumed by messages, which are not passed on', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    flow.node('speak').receive({ pause: true })
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toBe('speak.status.paused'))
    await vi.waitFor(() => expect(jobs[0]!.verbs).toEqual(['pause']))
    jobs[0]!.isDone = true
    await flow.waitFor('completed', 1)
    expect(jobs.length).toBe(1)
    flow.node('speak').receive({ resume: true })
    await vi.waitFor(() => expect(jobs.length).toBe(2), 20_000)
    expect(jobs[0]!.verbs).toEqual(['pause', 'resume'])
    jobs[1]!.isDone = true
    expect(await flow.waitFor('out', 1)).toHaveLength(1)
  })

  it('goes on after a restart of Node-RED with the jobs that it has, and keeps its message', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book, topic: 'book', chapter: 3 })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    jobs[0]!.isDone = true
    await vi.waitFor(() => expect(jobs.length).toBe(2), 20_000)
    await unload()
    jobs[1]!.isDone = true
    const next = await load(server.baseUrl)
    const [message] = await next.waitFor('out', 1)
    expect(message).toMatchObject({ topic: 'book', chapter: 3 })
    expect((message!.payload as Buffer).length).toBe(800)
    expect(jobs.length).toBe(2)
    await next.waitFor('completed', 1)
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it('goes on with a job that the service has not named when Node-RED stops', async () => {
    let nameJobs = () => {}
    const named = new Promise<void>((resolve) => (nameJobs = resolve))
    const { server, jobs } = await serviceWithJobs({ isDone: true, named })
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    const unloaded = unload()
    nameJobs()
    await unloaded
    const next = await load(server.baseUrl)
    expect(await next.waitFor('out', 1)).toHaveLength(1)
    expect(jobs.length).toBe(2)
  })

  it('has one job for each part if Node-RED is killed before the service has named it', async () => {
    const atKill: string[] = []
    const onSubmission = () => void atKill.push(readFileSync(file, 'utf8'))
    const { server, jobs } = await serviceWithJobs({ isDone: true, onSubmission })
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book, topic: 'book' })
    await flow.waitFor('completed', 1)
    for (const { isRemoved } of jobs) expect(isRemoved).toBe(true)
    await unload()
    for (const kept of atKill.slice(0, 2)) {
      // What a kill leaves: the file of that moment, and the job at the service.
      for (const job of jobs) job.isRemoved = false
      writeFileSync(file, kept)
      const next = await load(server.baseUrl)
      expect(await next.waitFor('out', 1)).toMatchObject([{ topic: 'book' }])
      await next.waitFor('completed', 1)
      await unload()
    }
    expect(jobs.length).toBe(2)
  })

  it.each(['msg.stop', 'the deletion of its node'])(
    'is forgotten, also at the service, if %s ends its wait for another one after a restart',
    async (reason) => {
      const { server, jobs } = await serviceWithJobs()
      const flow = await load(server.baseUrl, { busy: 'parallel' })
      for (const topic of ['first', 'second']) flow.node('speak').receive({ payload: book, topic })
      await vi.waitFor(() => expect(jobs.length).toBe(2))
      await unload()
      expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(2)
      const next = await load(server.baseUrl, { busy: 'wait' })
      await vi.waitFor(() => expect(lastStatus(next)?.text).toContain('speak.status.long,'), 20_000)
      if (reason === 'msg.stop') next.node('speak').receive({ stop: true })
      else await deleteSpeak(server.baseUrl)
      await vi.waitFor(() => expect(jobs.every(({ isRemoved }) => isRemoved)).toBe(true))
      await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('[]'))
    },
  )

  it('that is too long to be saved leaves no job at the service when its flow stops', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await load(server.baseUrl, { clean: false })
    flow.node('speak').receive({ payload: 'a'.repeat(2_000_001) })
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toBe('speak.status.long'), 20_000)
    await unload()
    expect(jobs).toMatchObject([{ isRemoved: true }])
  })

  it('does not go on after a restart if the service streams it', async () => {
    let stream = () => {}
    const streaming = new Promise<void>((resolve) => (stream = resolve))
    const server = await startTestServer(async (response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      await streaming
      response.end(audioLine(Buffer.alloc(480)))
    })
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: sentence.repeat(100) })
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(1))
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('[]'))
    stream()
    await flow.waitFor('completed', 1)
  })

  it('deletes a job that the service has not named at msg.stop', async () => {
    let nameJobs = () => {}
    const named = new Promise<void>((resolve) => (nameJobs = resolve))
    const { server, jobs } = await serviceWithJobs({ named })
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    flow.node('speak').receive({ stop: true })
    nameJobs()
    await flow.waitFor('completed', 2)
    expect(jobs[0]!.isRemoved).toBe(true)
  })

  it('is ended by msg.stop, also at the service', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await load(server.baseUrl)
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    flow.node('speak').receive({ stop: true })
    await flow.waitFor('completed', 2)
    await vi.waitFor(() => expect(jobs[0]!.isRemoved).toBe(true))
    expect(flow.received('out')).toEqual([])
  })

  it('is streamed by a service without jobs', async () => {
    const server = await startTestServer((response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      response.end(audioLine(Buffer.alloc(480)))
    })
    const flow = await load(server.baseUrl)
    const [message] = await speak(flow, { payload: sentence.repeat(100) })
    expect((message!.payload as Buffer).length).toBe(480 * 3)
  })

  it('has each warning of its parts once, also if the service streams it', async () => {
    const warnings = [
      { code: 'skipped-characters', message: 'Nova skips 猫', characters: '猫' },
      { code: 'no-word-times', message: 'Nova does not report them' },
    ]
    const { server: jobServer } = await serviceWithJobs({ isDone: true, warnings })
    const streamServer = await startTestServer((response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      const json = JSON.stringify(warnings).replaceAll('猫', '\\u732b')
      response.setHeader('x-parlando-warnings', json).end(audioLine(Buffer.alloc(480)))
    })
    for (const { baseUrl } of [jobServer, streamServer]) {
      const flow = await load(baseUrl, { captions: true })
      const [message] = await speak(flow, { payload: book })
      const keys = (message!['warning'] as string).match(/speech-warning\.[\w-]+/g)
      expect(keys).toEqual(['speech-warning.skipped', 'speech-warning.no-word-times'])
      expect(lastStatus(flow)).toMatchObject({ fill: 'yellow' })
      await unload()
    }
  })

  it('says that the times of words are missing, also if the service streams it', async () => {
    const { server: jobServer } = await serviceWithJobs({ isDone: true })
    const streamServer = await startTestServer((response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      response.end(audioLine(Buffer.alloc(480)))
    })
    for (const { baseUrl } of [jobServer, streamServer]) {
      const flow = await load(baseUrl, { captions: true })
      const [message] = await speak(flow, { payload: book })
      expect(message!['warning']).toMatch('speech-warning.no-word-times')
      expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
      await unload()
    }
  })

  it('reports the error of the service to Catch', async () => {
    const server = await startTestServer((response, { url }) => {
      const failed = { done: true, error: { code: 3, message: 'No such sound' } }
      const isNew = url?.endsWith(':synthesizeAsync')
      response.end(JSON.stringify({ name: 'ttsAsyncJobs/1/operations/1', ...(!isNew && failed) }))
    })
    const flow = await load(server.baseUrl)
    const { error } = await speakAndCatch(flow, { payload: book })
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(error.message).toContain('No such sound')
  })
})

describe('the budget of a long text', () => {
  const oneSecond = Buffer.alloc(48_000)
  const loadWithBudget = (baseUrl: string, service: object) =>
    loadSpeak({ baseUrl, speak: settings, service })
  /** After Node-RED was stopped. */
  const spent = () => JSON.parse(readFileSync(budgetFile, 'utf8')).service.day.amounts
  const untilNamed = (jobs: number) =>
    vi.waitFor(() => {
      const [{ jobNames }] = JSON.parse(readFileSync(file, 'utf8'))
      expect(jobNames).toHaveLength(jobs)
    }, 20_000)

  beforeEach(() => {
    // At midnight, the count begins again.
    vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const path of [file, budgetFile]) rmSync(path, { force: true })
  })

  it('counts each part once, when the service has accepted it, also over restarts', async () => {
    let nameJobs = () => {}
    const named = new Promise<void>((resolve) => (nameJobs = resolve))
    const { server, jobs } = await serviceWithJobs({ audio: oneSecond, named })
    const restarted = () => loadWithBudget(server.baseUrl, { charactersPerDay: 10_000 })
    const flow = await restarted()
    flow.node('speak').receive({ payload: book })
    await vi.waitFor(() => expect(jobs.length).toBe(1))
    const unloaded = unload()
    nameJobs()
    await unloaded
    await restarted()
    await untilNamed(1)
    await unload()
    const first = jobs[0]!.text.length
    expect(spent()).toMatchObject({ characters: first, requests: 1, seconds: 0 })
    jobs[0]!.isDone = true
    await restarted()
    await untilNamed(2)
    await unload()
    const characters = first + jobs[1]!.text.length
    expect(spent()).toMatchObject({ characters, requests: 2, seconds: 1 })
    jobs[1]!.isDone = true
    const next = await restarted()
    await next.waitFor('completed', 1)
    await unload()
    expect(spent()).toMatchObject({ characters, requests: 2, seconds: 2 })
  })

  it('is not asked again for a text that has begun before a restart', async () => {
    const { server, jobs } = await serviceWithJobs()
    const flow = await loadWithBudget(server.baseUrl, { charactersPerDay: 10_000 })
    flow.node('speak').receive({ payload: book, topic: 'book' })
    await untilNamed(1)
    await unload()
    const next = await loadWithBudget(server.baseUrl, { charactersPerDay: 1 })
    next.node('speak').receive({ payload: 'Too much.' })
    jobs[0]!.isDone = true
    await untilNamed(2)
    jobs[1]!.isDone = true
    expect(await next.waitFor('out', 1)).toMatchObject([{ topic: 'book' }])
    const [rejected] = await next.waitFor('caught', 1)
    expect(rejected).toMatchObject({ payload: 'Too much.', error: { code: 'BUDGET_SPENT' } })
    expect(jobs.length).toBe(2)
  })

  it.each([{ charactersPerDay: 3000 }, { requestsPerDay: 1 }])(
    'of %j does not suffice for all its parts, so nothing is submitted',
    async (limits) => {
      const { server, jobs } = await serviceWithJobs()
      const flow = await loadWithBudget(server.baseUrl, limits)
      const { error } = await speakAndCatch(flow, { payload: book })
      expect(error).toMatchObject({ code: 'BUDGET_SPENT' })
      expect(jobs).toEqual([])
    },
  )

  it('counts the parts that a service without jobs streams', async () => {
    const server = await startTestServer((response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      response.end(audioLine(oneSecond))
    })
    const flow = await loadWithBudget(server.baseUrl, { charactersPerDay: 10_000 })
    await speak(flow, { payload: book })
    await unload()
    const streams = server.requests.filter(({ url }) => url.endsWith('voice:stream'))
    expect(spent()).toMatchObject({ requests: 2, seconds: streams.length })
    expect(spent().characters).toBeGreaterThan(sentence.trim().length * 100)
  })

  it('counts the seconds of a part that the service stops to stream', async () => {
    const server = await startTestServer((response, { url }) => {
      if (url?.endsWith(':synthesizeAsync'))
        return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
      response.end(`${audioLine(oneSecond)}{"error":{"code":3,"message":"No such sound"}}\n`)
    })
    const flow = await loadWithBudget(server.baseUrl, { secondsPerDay: 100 })
    const { error } = await speakAndCatch(flow, { payload: book })
    expect(error.message).toContain('No such sound')
    await unload()
    expect(spent()).toMatchObject({ requests: 1, seconds: 1 })
  })
})
