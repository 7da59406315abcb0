import { describe, expect, it } from 'vitest'
import { readChatBody } from './read-chat-body.ts'

const read = (text: string) => readChatBody(Buffer.from(text))

describe('the body of a chat request', () => {
  it('changes only the name of its model', async () => {
    const text = '\n{"seed":12345678901234567890, "model" : "svc/models/a\\u0062", "x":1e400}'
    const body = await read(text)
    expect(body.model).toBe('svc/models/ab')
    const named = Buffer.from(body.withModel('a"b')).toString()
    expect(named).toBe(text.replace('"svc/models/a\\u0062"', '"a\\"b"'))
  })

  it.each([
    ['{"model":"a"', /^The body is not JSON/],
    ['7', /^The body must be a JSON object/],
    ['["model"]', /^The body must be a JSON object/],
    ['{}', /^model must be a non-empty string/],
    ['{"model":""}', /^model must be a non-empty string/],
    ['{"model":7}', /^model must be a non-empty string/],
    ['{"model":"a","model":"b"}', /^model must not be repeated/],
  ])('is rejected: %s', async (text, message) => {
    const rejection = { code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) }
    await expect(read(text)).rejects.toMatchObject(rejection)
  })
})
