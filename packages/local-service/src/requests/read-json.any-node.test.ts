import { countTurns } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { parseBody } from './read-json.ts'

const parse = (text: string) => parseBody(Buffer.from(text))

describe('a JSON body', () => {
  it.each(['{"a":["b",null,1.5]}', 'null', '7', '"é\\n"'])('is parsed: %s', async (text) => {
    expect(await parse(text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['', /^The body is not JSON$/],
    ['{', /not JSON/],
    ['['.repeat(33), /nests deeper than 32 levels/],
    [`[${'0,'.repeat(6000)}0]`, /contains more than 6000 values/],
    [`"${String.raw`\n`.repeat(200_001)}"`, /more than 200000 escaped characters/],
  ])('is rejected before it is parsed: %#', async (text, message) => {
    const rejection = { code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) }
    await expect(parse(text)).rejects.toMatchObject(rejection)
  })

  it('lets others have their turns while it reads a recording of 32 MB', async () => {
    const text = Buffer.from(`{"audioData":"${'A'.repeat(32_000_000)}"}`)
    // One for each 256 KB, and between decoding, parsing and validating.
    expect(await countTurns(() => parseBody(text))).toBeGreaterThan(123)
  })
})
