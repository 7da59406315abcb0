import { describe, expect, it } from 'vitest'
import { parseJson } from './decode.ts'

describe('parseJson', () => {
  it.each([
    ['{"text":"Hi."}', { text: 'Hi.' }],
    ['null', null],
    ['false', false],
    [' "" ', ''],
  ])('returns the value of %s', (text, value) => expect(parseJson(text)).toEqual(value))

  it.each(['', '{', 'undefined', "{'text':1}", '{"text":"Hi."}x'])(
    'returns undefined for %j, which is not JSON',
    (text) => expect(parseJson(text)).toBe(undefined),
  )
})
