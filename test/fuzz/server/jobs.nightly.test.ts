import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskJobStore } from '@parlando/store'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createTestApp, speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEncoderPool } from '../../../packages/local-service/src/audio/encoding/encoder-pool.ts'
import { readJobEntry } from '../../../packages/local-service/src/jobs/job.ts'
import { Jobs } from '../../../packages/local-service/src/jobs/jobs.ts'
import { createVoiceList } from '../../../packages/local-service/src/voices/voice-list.ts'
import { fuzz } from '../cases.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'
import { mutated } from '../inputs/json.ts'

const failures: unknown[] = []
let folder: string
let jobs: Jobs
let app: ReturnType<typeof createTestApp>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-fuzz-jobs-'))
  const flite = createFakeEngine()
  const engines = new Map([['flite', flite]])
  const voiceList = createVoiceList(undefined, engines)
  const service = { engines, voiceList, encoders: createEncoderPool() }
  const onFailure = (error: unknown) => void failures.push(error)
  const store = await openDiskJobStore({ folder, readEntry: readJobEntry })
  jobs = new Jobs({ store, service, onFailure, retryDelaysMs: [1] })
  await jobs.start()
  app = createTestApp(flite, onFailure, voiceList, { jobs, apiKey: keys.service })
})
afterAll(async () => {
  await jobs.close()
  await rm(folder, { recursive: true })
})

const speech = { ...speechRequest, text: 'Hello. Good night.' }
const batch = { items: [{ customId: 'a', request: speech }, { request: speech }] }
const body = (good: object): fc.Arbitrary<Bytes> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(good).map(toText) },
    { weight: 3, arbitrary: mutated(good, 1).map(toText) },
    { weight: 1, arbitrary: damaged(toText(good), 1) },
  )
const submission = fc.oneof(
  fc.record({ submit: fc.constant('synthesizeAsync'), body: body(speech) }),
  fc.record({ submit: fc.constant('synthesizeBatch'), body: body(batch) }),
)
const oddParts = ['..', '%2e%2e', '%00', '__proto__', '', 'a'.repeat(300), '0'.repeat(32), '%ff']
/** A part of an address: that of the job, or another one. */
const part = fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom(...oddParts))
const step = fc.record({
  how: fc.constantFrom('report', 'list', 'pause', 'resume', 'remove', 'file', 'wait'),
  collection: fc.constantFrom('speech', 'batch', '', ...oddParts),
  id: part,
  file: fc.constantFrom(
    'audio-0',
    'audio-1',
    'results',
    'timestamps-0',
    'audio-99999',
    ...oddParts,
  ),
  signature: fc.constantFrom('own', 'of another file', 'cut', 'missing', 'x'.repeat(5000)),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const life = fc.record({ submission, steps: fc.array(step, { maxLength: 8 }) })

function toText(value: unknown): Bytes {
  return Buffer.from(JSON.stringify(value) ?? '').toString('latin1')
}

async function request(path: string, method = 'GET', given?: Bytes, key: string = keys.service) {
  const response = await app.request(path, {
    method,
    headers: { authorization: `Basic ${key}` },
    ...(given !== undefined && { body: Buffer.from(given, 'latin1') }),
  })
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
  expect(text).not.toContain(keys.service)
  expect(text).not.toContain(folder)
  if (response.status !== 200) {
    expect([400, 401, 404, 405, 413, 429, 501], text).toContain(response.status)
    if (response.status !== 405)
      expect(JSON.parse(text)).toMatchObject({ code: expect.any(Number), details: [] })
  }
  return { status: response.status, text }
}

/** The name of a job that was submitted, and the addresses of its files once they are known. */
interface Known {
  name: string
  uris: string[]
  isRemoved: boolean
}

async function take({ how, collection, id, file, signature }: Step, job: Known): Promise<void> {
  const [own = '', jobId = ''] = job.name.split('/')
  const named = `${collection || own}/${id || jobId}/operations/${id || jobId}`
  const isOwn = named === job.name
  const path = `/lro/v1alpha/${named}`
  if (how === 'wait') {
    if (job.isRemoved) return
    const { text } = await request(`/lro/v1alpha/${job.name}`)
    job.uris = JSON.stringify(JSON.parse(text)).match(/\/tts\/v1\/jobFiles\/[^"]+/g) ?? job.uris
  } else if (how === 'list') {
    await request(path.slice(0, path.lastIndexOf('/')))
  } else if (how === 'file') {
    await takeFile(file, signature, job)
  } else {
    const method = { report: 'GET', remove: 'DELETE', pause: 'POST', resume: 'POST' }[how]!
    const verb = method === 'POST' ? `:${how}` : ''
    const { status } = await request(path + verb, method)
    expect(await request(path + verb, method, undefined, 'wrong')).toMatchObject({ status: 401 })
    if (isOwn) expect(status).toBe(job.isRemoved ? 404 : 200)
    if (isOwn && how === 'remove') job.isRemoved = true
  }
}

/** Only a whole address that the service has given opens a file, and only of a job that exists. */
async function takeFile(file: string, signature: string, job: Known): Promise<void> {
  const [uri = ''] = job.uris
  const [path = '', own = ''] = uri.split('?signature=')
  const ownFile = path.split('/').at(-1)
  const at = path.slice(0, path.lastIndexOf('/') + 1)
  const signatures: Record<string, string> = { own, 'of another file': own, cut: own.slice(1) }
  const given = signatures[signature] ?? (signature === 'missing' ? '' : signature)
  const asked = signature === 'own' ? ownFile : file
  const { status } = await request(`${at || '/tts/v1/jobFiles/x/'}${asked}?signature=${given}`)
  const mayRead = own !== '' && given === own && asked === ownFile && !job.isRemoved
  expect(status === 200).toBe(mayRead)
}

it('a job of any body, in any order of operations, keeps its files to those with their addresses', async () => {
  await fuzz(
    life,
    async ({ submission: { submit, body: given }, steps }) => {
      const { status, text } = await request(`/tts/v1/voice:${submit}`, 'POST', given)
      if (status !== 200) return
      const job: Known = { name: JSON.parse(text).name, uris: [], isRemoved: false }
      for (const each of steps) await take(each, job)
      if (!job.isRemoved) {
        expect(await request(`/lro/v1alpha/${job.name}`, 'DELETE')).toMatchObject({ status: 200 })
      }
    },
    { lanes: 4, share: 0.2, eventsOf: ({ steps }) => steps.length + 1 },
  )
  await expect.poll(() => jobs.running).toBe(0)
  await expect.poll(() => readdirSync(folder, { recursive: true })).toEqual([])
  expect(failures).toEqual([])
})
