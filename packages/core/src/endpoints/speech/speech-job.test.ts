import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../client.ts'

const request = { text: 'A long story.', voiceId: 'Clara' }
const name = 'ttsAsyncJobs/a1/operations/a1'
const path = `/lro/v1alpha/${name}`

/** A service whose operation goes through these states, one for each question. */
async function serviceWith(states: readonly (object | number)[], audio = Buffer.from('ID3!')) {
  const left = [...states]
  const server = await startTestServer((response, { url = '', method, headers }) => {
    if (method === 'POST') return void response.end(JSON.stringify({ name, done: false }))
    if (url.startsWith('/files/')) return void response.end(audio)
    const state = left.length > 1 ? left.shift()! : left[0]!
    if (typeof state === 'number') return void response.writeHead(state).end()
    const origin = `http://${headers.host}`
    response.end(JSON.stringify({ name, ...state }).replaceAll('ORIGIN', origin))
  })
  const client = createClient({
    baseUrl: server.baseUrl,
    apiKey: keys.service,
    maxRetries: 0,
    headers: { 'x-tenant': 'one' },
  })
  return { server, client }
}

const succeeded = {
  done: true,
  response: { audioUri: 'ORIGIN/files/a?signature=s', expireTime: '2026-12-01T10:00:00Z' },
}

describe('a long text', () => {
  it('is submitted once, asked for until it is done, and downloaded without the key', async () => {
    const running = { metadata: { state: 'RUNNING', characters: 13, spokenCharacters: '7' } }
    const { server, client } = await serviceWith([{}, running, succeeded])
    const job = await client.synthesizeLong(request)
    expect(job.name).toBe(name)
    const seen: unknown[] = []
    const finished = await job.finished({
      onProgress: ({ spokenCharacters, isDone }) => seen.push([spokenCharacters, isDone]),
    })
    expect(seen).toEqual([
      [undefined, false],
      [7, false],
      [undefined, true],
    ])
    expect(finished.expiresAt?.toISOString()).toBe('2026-12-01T10:00:00.000Z')
    expect(await finished.audio().collect()).toEqual(Buffer.from('ID3!'))
    expect(await finished.timestamps()).toBeUndefined()
    const [submitted, asked, , , downloaded] = server.requests
    expect(submitted).toMatchObject({ url: '/tts/v1/voice:synthesizeAsync', body: request })
    expect(asked).toMatchObject({ url: path, headers: { 'x-tenant': 'one' } })
    expect(asked!.headers.authorization).toBe(`Basic ${keys.service}`)
    expect(downloaded).toMatchObject({ url: '/files/a?signature=s' })
    expect(downloaded!.headers).not.toHaveProperty('authorization')
    expect(downloaded!.headers).not.toHaveProperty('x-tenant')
  })

  it('has the warnings of the service', async () => {
    const warnings = [{ code: 'other-language', message: 'It seems to be German', language: 'de' }]
    const response = { ...succeeded.response, warnings }
    const { client } = await serviceWith([{ done: true, response }])
    expect((await client.speechJob(name).finished()).warnings).toEqual(warnings)
  })

  it('is waited for by another process, also while the service is away for a moment', async () => {
    const { client } = await serviceWith([503, {}, 502, succeeded])
    const finished = await client.speechJob(name).finished()
    expect(await finished.audio().collect()).toHaveLength(4)
  })

  it.each([
    [
      'that failed',
      [{ done: true, error: { code: 14, message: 'The engine is away' } }],
      'UNAVAILABLE',
    ],
    ['that has expired', [404], 'NOT_FOUND'],
  ])('%s ends the wait with its error', async (_what, states, code) => {
    const { server, client } = await serviceWith(states)
    const waiting = client.speechJob(name).finished()
    await expect(waiting).rejects.toMatchObject({ code, retryable: false })
    expect(server.requests).toHaveLength(1)
  })

  it('is no longer waited for after an abort, and goes on', async () => {
    const { client, server } = await serviceWith([{}])
    const leaving = new AbortController()
    const waiting = client.speechJob(name).finished({
      signal: leaving.signal,
      onProgress: () => leaving.abort(new Error('enough')),
    })
    await expect(waiting).rejects.toThrow('enough')
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it('is interrupted, resumed and deleted', async () => {
    const { client, server } = await serviceWith([{}])
    const job = client.speechJob(name)
    await job.pause()
    await job.resume()
    await job.remove()
    const requests = server.requests.map(({ method, url }) => `${method} ${url}`)
    expect(requests).toEqual([`POST ${path}:pause`, `POST ${path}:resume`, `DELETE ${path}`])
  })

  it.each([
    ['another scheme', 'ftp://127.0.0.1/a'],
    ['in the clear in the internet', 'http://speech.example/a'],
    ['no address', 'a'],
  ])('whose file has an address of %s is not requested', async (_what, audioUri) => {
    const { client } = await serviceWith([{ done: true, response: { audioUri } }])
    const finished = await client.speechJob(name).finished()
    expect(() => finished.audio()).toThrow(expect.objectContaining({ code: 'BAD_RESPONSE' }))
  })

  it('has at most 100,000 characters, and a name without steps to other paths', async () => {
    const { client, server } = await serviceWith([{}])
    const submitting = client.synthesizeLong({ ...request, text: 'a'.repeat(100_001) })
    await expect(submitting).rejects.toThrow('100001 characters are more than the 100000')
    for (const wrong of ['a/../b', '/a', 'a?b', '']) {
      expect(() => client.speechJob(wrong)).toThrow('must be the name of an operation')
    }
    expect(server.requests).toEqual([])
  })

  it('with a file that is larger than the limit is rejected when it is collected', async () => {
    const { server } = await serviceWith([succeeded], Buffer.alloc(2000))
    const client = createClient({ baseUrl: server.baseUrl, maxResponseBytes: 1000 })
    const finished = await client.speechJob(name).finished()
    await expect(finished.audio().collect()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })
})

it('a batch has a result for each text', async () => {
  const results = {
    results: [
      { customId: 'door', audioUri: 'ORIGIN/files/door' },
      { customId: 'bell', error: { code: 'UNAVAILABLE', message: 'Later' } },
    ],
    failedItems: 1,
  }
  const done = { done: true, response: { resultsUri: 'ORIGIN/files/results' } }
  const server = await startTestServer((response, { url, headers }) => {
    const body =
      url === '/files/results' ? results : url?.startsWith('/files') ? 'abc' : { name, ...done }
    response.end(JSON.stringify(body).replaceAll('ORIGIN', `http://${headers.host}`))
  })
  const client = createClient({ baseUrl: server.baseUrl })
  const job = await client.synthesizeBatch({ items: [{ customId: 'door', request }] })
  const finished = await job.finished()
  expect(finished.results.map(({ customId, error }) => [customId, error?.code])).toEqual([
    ['door', undefined],
    ['bell', 'UNAVAILABLE'],
  ])
  expect((await finished.results[0]!.audio().collect()).toString()).toBe('"abc"')
  expect(() => finished.results[1]!.audio()).toThrow(expect.objectContaining({ code: 'NO_AUDIO' }))
})
