import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { limitedFetch } from './limited-fetch.ts'

const fetchText = async (text: string) => {
  const { baseUrl } = await startTestServer((response) => void response.end(text))
  return (await limitedFetch(baseUrl)).text()
}

it.each([
  ['lists', '[],'.repeat(15_001)],
  ['fields', '{"a":1,'.repeat(15_001)],
  ['values after a quotation mark in a comment', `: "\\\ndata: ${'[{},1]'.repeat(10_001)}`],
])('a response with more than 30,000 values is rejected: %s', async (_what, text) => {
  await expect(fetchText(text)).rejects.toThrow('the response has more than 30000 values')
})

it('a text in a response may have any characters', async () => {
  const text = JSON.stringify({ text: `[{,"\\\n`.repeat(40_000) })
  expect(await fetchText(text)).toBe(text)
})
