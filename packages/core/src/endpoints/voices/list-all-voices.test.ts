import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../client.ts'
import { voiceListRequestSchema } from '../../wire/voices.ts'

/** A client whose service responds with one page after the other, and repeats the last one. */
async function clientOf(...pages: object[]) {
  let count = 0
  const server = await startTestServer((response) => {
    response.end(JSON.stringify(pages[Math.min(count++, pages.length - 1)]))
  })
  return { server, client: createClient({ baseUrl: server.baseUrl }) }
}

function page(ids: string[], nextPageToken?: string | null) {
  return { voices: ids.map((voiceId) => ({ voiceId })), nextPageToken }
}

it('yields the voices of all pages in order, even after an empty page', async () => {
  const pages = [page(['a', 'b'], '1-2'), page([], '2-2'), page(['c'], '')]
  const { server, client } = await clientOf(...pages)
  const ids: string[] = []
  const request = { languages: ['EN_US', 'DE_DE'], pageSize: 2 }
  for await (const { voiceId } of client.listAllVoices(request)) ids.push(voiceId)
  expect(ids).toEqual(['a', 'b', 'c'])
  const query = '/voices/v1/voices?languages=EN_US&languages=DE_DE&pageSize=2'
  expect(server.requests.map(({ url }) => url)).toEqual([
    query,
    `${query}&pageToken=1-2`,
    `${query}&pageToken=2-2`,
  ])
})

it.each([undefined, null, ''])('ends if the next token is %j', async (token) => {
  const { server, client } = await clientOf(page(['a'], token))
  for await (const { voiceId } of client.listAllVoices()) expect(voiceId).toBe('a')
  expect(server.requests.map(({ url }) => url)).toEqual(['/voices/v1/voices?pageSize=100'])
})

it('requests no page before the loop needs it', async () => {
  const { server, client } = await clientOf(page(['a', 'b'], '1-2'), page(['c']))
  const voices = client.listAllVoices()
  // By then, a request would have arrived.
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20))
  await wait()
  expect(server.requests).toHaveLength(0)
  for await (const { voiceId } of voices) {
    if (voiceId === 'a') continue
    await wait()
    break
  }
  expect(server.requests).toHaveLength(1)
})

it.each([
  ['immediately', { pageToken: 'x' }, [page(['a'], 'x')], 1],
  ['after one page', {}, [page(['a'], 'x')], 2],
  ['in a cycle', {}, [page(['a'], 'x'), page(['a'], 'y'), page(['a'], 'x')], 3],
])('throws if the service repeats a token %s', async (_when, request, pages, count) => {
  const { server, client } = await clientOf(...pages)
  const listing = (async () => {
    for await (const voice of client.listAllVoices(request)) expect(voice.voiceId).toBe('a')
  })()
  await expect(listing).rejects.toMatchObject({ name: 'ProtocolError', code: 'BAD_RESPONSE' })
  await expect(listing).rejects.toThrow(/the service repeats a page/)
  expect(server.requests).toHaveLength(count)
})

it('throws immediately if the request is not valid', async () => {
  const { client } = await clientOf(page([]))
  expect(() => client.listAllVoices({ pageSize: 0 })).toThrow(/pageSize/)
})

it('limits the time of all pages together by timeoutMs', async () => {
  let count = 0
  // The third page never arrives.
  const server = await startTestServer((response) => {
    count += 1
    if (count < 3) response.end(JSON.stringify(page(['a'], `${count}`)))
  })
  const started = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => started.mockRestore())
  const listing = (async () => {
    const client = createClient({ baseUrl: server.baseUrl })
    for await (const voice of client.listAllVoices({}, { timeoutMs: 2000 })) void voice
  })()
  await expect(listing).rejects.toMatchObject({
    name: 'TimeoutError',
    phase: 'total',
    timeoutMs: 2000,
  })
  expect(server.requests.length).toBeGreaterThan(1)
  expect(started).toHaveBeenCalledTimes(1)
})

it('checks the request once for all pages', async () => {
  const { client } = await clientOf(page(['a'], 'x'), page(['b']))
  const checked = vi.spyOn(voiceListRequestSchema, 'safeParse')
  onTestFinished(() => checked.mockRestore())
  const ids: string[] = []
  for await (const { voiceId } of client.listAllVoices()) ids.push(voiceId)
  expect(ids).toEqual(['a', 'b'])
  expect(checked).toHaveBeenCalledTimes(1)
})

it('throws the reason of its signal', async () => {
  const { client } = await clientOf(page(['a'], 'x'))
  const controller = new AbortController()
  const voices = client.listAllVoices({}, { signal: controller.signal })
  await voices.next()
  controller.abort(new Error('enough'))
  await expect(voices.next()).rejects.toThrow('enough')
})
