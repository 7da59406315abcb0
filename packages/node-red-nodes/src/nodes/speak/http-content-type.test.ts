import { describe, expect, it } from 'vitest'
import { contentTypeHeaders } from './http-content-type.ts'

const setHeaders = (headers: unknown) =>
  contentTypeHeaders(
    { _msgid: 'a', res: {}, headers: headers as Record<string, unknown> },
    'audio/wav',
  )

describe('the content type of an HTTP response', () => {
  it('is added to the headers of the message', () => {
    expect(setHeaders({ 'x-id': '1' })).toEqual({
      headers: { 'x-id': '1', 'content-type': 'audio/wav' },
    })
  })

  it.each([
    ['a Buffer', Buffer.alloc(3)],
    ['an array', ['a']],
    ['a text', 'abc'],
    ['null', null],
  ])('replaces headers that are %s', (_what, headers) => {
    expect(setHeaders(headers)).toEqual({ headers: { 'content-type': 'audio/wav' } })
  })
})
