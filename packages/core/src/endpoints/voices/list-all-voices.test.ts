import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

/** Answers one page after the other, the last one from then on. */
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

it('gives the voices of all pages in order, an empty page among them', async () => {
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

it.each([undefined, null, ''])('ends where the next token is %j', async (token) => {
  const { server, client } = await clientOf(page(['a'], token))
  for await (const { voiceId } of client.listAllVoices()) expect(voiceId).toBe('a')
  expect(server.requests.map(({ url }) => url)).toEqual(['/voices/v1/voices?pageSize=100'])
})

it('asks for no page before the loop gets there', async () => {
  const { server, client } = await clientOf(page(['a', 'b'], '1-2'), page(['c']))
  const voices = client.listAllVoices()
  // A request that was made would have come by then.
  const come = () => new Promise((resolve) => setTimeout(resolve, 50))
  await come()
  expect(server.requests).toHaveLength(0)
  for await (const { voiceId } of voices) {
    if (voiceId === 'a') continue
    await come()
    break
  }
  expect(server.requests).toHaveLength(1)
})

it.each([
  ['at once', { pageToken: 'x' }, [page(['a'], 'x')], 1],
  ['after one more', {}, [page(['a'], 'x')], 2],
  ['in a ring', {}, [page(['a'], 'x'), page(['a'], 'y'), page(['a'], 'x')], 3],
])('stops where a token comes again %s', async (_when, request, pages, count) => {
  const { server, client } = await clientOf(...pages)
  const listing = (async () => {
    for await (const voice of client.listAllVoices(request)) expect(voice.voiceId).toBe('a')
  })()
  await expect(listing).rejects.toMatchObject({ name: 'ProtocolError', code: 'BAD_RESPONSE' })
  await expect(listing).rejects.toThrow(/the service repeats a page/)
  expect(server.requests).toHaveLength(count)
})

it('refuses a request that is not valid at once', async () => {
  const { client } = await clientOf(page([]))
  expect(() => client.listAllVoices({ pageSize: 0 })).toThrow(/pageSize/)
})

it('ends with the reason of its signal', async () => {
  const { client } = await clientOf(page(['a'], 'x'))
  const controller = new AbortController()
  const voices = client.listAllVoices({}, { signal: controller.signal })
  await voices.next()
  controller.abort(new Error('enough'))
  await expect(voices.next()).rejects.toThrow('enough')
})
