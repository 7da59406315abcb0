import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { outlineJson } from './outline-json.ts'

const outline = (text: string, member?: string) => outlineJson(Buffer.from(text), member)

describe('the outline of a JSON text', () => {
  it('counts levels, values and escapes outside and inside strings', async () => {
    expect(await outline('{"a":[1,{"b":[]}],"c":"[{,\\"\\\\"}')).toEqual({
      isComplete: true,
      isObject: true,
      depth: 4,
      values: 6,
      escapes: 2,
      members: [],
    })
  })

  it.each(['{', '"', '["a]', '{"a":"\\"}'])('is incomplete for %s', async (text) => {
    expect(await outline(text)).toMatchObject({ isComplete: false })
  })

  it.each([
    ['{"model":"a"}', ['"a"']],
    ['\ufeff { "x" : "model", "model" : "a\\"b" , "y": {"model":"inner"}}', ['"a\\"b"']],
    [String.raw`{"mod\u0065l":"a"}`, ['"a"']],
    ['{"model":"a","model":"b"}', ['"a"', '"b"']],
    ['{"model":7,"b":"c"}', [undefined]],
    ['{"model":{"model":"a"},"b":"c"}', [undefined]],
    ['{"model":["a"],"b":"c"}', [undefined]],
    ['["model","a"]', []],
    ['"model"', []],
  ])('finds a member of the outermost object only: %s', async (text, values) => {
    const { members } = await outline(text, 'model')
    const bytes = Buffer.from(text)
    const found = members.map((place) => place && bytes.subarray(place.start, place.end).toString())
    expect(found).toEqual(values)
  })

  it.each(['[', '{}', '0,', ' ', '"', String.raw`"\"`, '"a":', '"model":', '}', '中'])(
    'does not hold the event loop for a long row of %s',
    async (part) => {
      const text = Buffer.from(`{${part.repeat((4 * 1024 * 1024) / part.length)}`)
      expect(await measureHold(() => outlineJson(text, 'model'))).toBeLessThan(maxHoldMs)
    },
  )
})
