import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { limitedFetch } from './limited-fetch.ts'

const fetchText = async (text: string) => {
  const { baseUrl } = await startTestServer((response) => void response.end(text))
  return (await limitedFetch(baseUrl)).text()
}

it.each([
  ['lists', '[],'.repeat(7501)],
  ['fields', '{"a":1,'.repeat(7501)],
  ['values after a quotation mark in a comment', `: "\\\ndata: ${'[{},1]'.repeat(5001)}`],
])('a response with more than 15,000 values is rejected: %s', async (_what, text) => {
  await expect(fetchText(text)).rejects.toThrow('the response has more than 15000 values')
})

it('a text in a response may have any characters', async () => {
  const text = JSON.stringify({ text: `[{,"\\\n`.repeat(40_000) })
  expect(await fetchText(text)).toBe(text)
})
