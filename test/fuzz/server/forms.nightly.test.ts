import { writeWavHeader } from '@parlando/core/audio'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningEngine } from '../../../packages/local-service/src/engines/engine-registry.ts'
import { ServiceError } from '../../../packages/local-service/src/errors/service-error.ts'
import { type FormPart, readForm } from '../../../packages/local-service/src/requests/read-form.ts'
import {
  type ListeningServer,
  openServer,
} from '../../../packages/local-service/src/server/http-server.ts'
import { fuzz } from '../cases.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'

interface Field {
  name: string
  content: Bytes
  fileName?: string
}

const pcm = Buffer.alloc(3200, 7)
const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 16_000, dataBytes: pcm.length }),
  pcm,
]).toString('latin1')

const boundary = 'parlando-form'
const contentType = `multipart/form-data; boundary=${boundary}`

function toBody(fields: readonly Field[]): Bytes {
  const parts = fields.map(({ name, content, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

const binary = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
const word = fc.string({ unit: fc.constantFrom(...'abc_[] -;='), maxLength: 12 })

describe('a form', () => {
  it('is divided into exactly the parts that it has', async () => {
    const field = fc.record({ name: word, content: binary, fileName: fc.option(word) })
    await fuzz(fc.array(field, { maxLength: 6 }), async (fields) => {
      const written = fields.map(({ fileName, ...rest }) => ({
        ...rest,
        ...(fileName !== null && { fileName }),
      }))
      const parts = readForm(contentType, Buffer.from(toBody(written), 'latin1'))
      expect(parts.map(toField)).toEqual(written)
    })
  })

  it('of any bytes is divided or rejected', async () => {
    const body = fc.oneof(damaged(toBody([{ name: 'model', content: 'm' }]), 1), binary)
    const header = fc.oneof(fc.constant(contentType), damaged(contentType, 1))
    await fuzz(fc.tuple(header, body), async ([type, bytes]) => {
      try {
        const content = Buffer.from(bytes, 'latin1')
        for (const part of readForm(type, content)) {
          expect(part.content.length).toBeLessThan(content.length)
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    })
  })

  it('is read in time that grows with its size only', () => {
    const bodies = [
      `\r\n--${boundary}\r\n`.repeat(200_000),
      `--${boundary}\r\n${'a: b\r\n'.repeat(500_000)}`,
      `--${boundary}\r\nContent-Disposition: form-data; ${'name='.repeat(500_000)}`,
      '\r\n--'.repeat(1_000_000),
    ]
    for (const body of bodies) {
      const startedAt = performance.now()
      expect(() => readForm(contentType, Buffer.from(body))).toThrow(ServiceError)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    }
  })
})

function toField({ name, content, fileName }: FormPart): Field {
  const field = { name, content: content.toString('latin1') }
  return fileName === undefined ? field : { ...field, fileName }
}

const recogniser = createFakeRecogniser()
const failures: unknown[] = []
let server: ListeningServer
beforeAll(async () => {
  const onFailure = (error: unknown) => failures.push(error)
  const app = createTestApp({} as RunningEngine, onFailure, undefined, {
    recognisers: new Map([['fake', recogniser]]),
    apiKey: keys.service,
  })
  server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const goodFields: readonly Field[] = [
  { name: 'file', fileName: 'hello.wav', content: wav },
  { name: 'model', content: 'fake/model' },
  { name: 'language', content: 'en' },
  { name: 'prompt', content: 'Clara' },
  { name: 'response_format', content: 'verbose_json' },
  { name: 'temperature', content: '0' },
  { name: 'timestamp_granularities[]', content: 'word' },
  { name: 'stream', content: 'true' },
]
const values = ['json', 'text', 'srt', 'vtt', 'false', 'segment', '', '\0', '\xff', '-1', 'de']
const oddName = fc.constantFrom('__proto__', 'constructor', 'files', '', 'model')
const changedField = fc.constantFrom(...goodFields).chain((field) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(field) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...values).map((content) => ({ ...field, content })),
    },
    { weight: 1, arbitrary: damaged(field.content, 1).map((content) => ({ ...field, content })) },
    { weight: 1, arbitrary: oddName.map((name) => ({ ...field, name })) },
  ),
)
const fields = fc.oneof(
  fc.shuffledSubarray([...goodFields], { minLength: 2 }),
  fc
    .array(changedField, { maxLength: 8 })
    .map((changed) => [...goodFields.slice(0, 2), ...changed]),
)
const body = fields.map(toBody).chain((good) => fc.oneof(fc.constant(good), damaged(good, 1)))

const message = expect.stringMatching(/^.{5,2000}$/su)
const problem = {
  error: { message, type: expect.any(String), param: null, code: expect.any(String) },
}

async function send(bytes: Bytes): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`${server.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.service}`, 'content-type': contentType },
    body: Buffer.from(bytes, 'latin1'),
  })
  const { status, headers } = response
  return { status, type: headers.get('content-type') ?? '', text: await response.text() }
}

function expectResponse(
  bytes: Bytes,
  { status, type, text }: Awaited<ReturnType<typeof send>>,
): void {
  expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
  // An error names the model that the caller has sent, and a damaged form may have the key there.
  if (!bytes.includes(keys.service)) expect(text).not.toContain(keys.service)
  if (status !== 200) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(JSON.parse(text)).toEqual(problem)
  } else if (type.startsWith('text/event-stream')) {
    const last = JSON.parse(text.trim().split('\n\n').at(-1)!.replace('data: ', ''))
    if (last.type === 'error') expect(last).toEqual({ type: 'error', ...problem })
    else expect(last).toMatchObject({ type: 'transcript.text.done', text: expect.any(String) })
  } else if (type.startsWith('application/json')) {
    expect(JSON.parse(text)).toMatchObject({ text: expect.any(String) })
  } else expect(type).toMatch(/^text\/(plain|vtt)/)
}

it('a form with any recording and fields gets a transcript or one error', async () => {
  await fuzz(body, async (bytes) => expectResponse(bytes, await send(bytes)), {
    lanes: 2,
    // Each recording uses a separate thread.
    share: 0.05,
  })
  expect(failures).toEqual([])
  expect(recogniser.running).toBe(0)
  const { status, text } = await send(toBody(goodFields.slice(0, 2)))
  expect([status, Object.keys(JSON.parse(text))]).toEqual([200, ['text', 'usage']])
})
