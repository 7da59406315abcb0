import { describe, expect, it } from 'vitest'
import { readProblem } from './problem.ts'

describe('readProblem', () => {
  it.each([
    ['the bare form', { code: 5, message: 'no such voice', details: [] }],
    ['the wrapped form', { error: { code: 5, message: 'no such voice' } }],
    ['a detail where the message is empty', { code: 5, message: '', details: ['no such voice'] }],
    ['the message of a detail', { code: 5, details: [null, { message: 'no such voice' }] }],
  ])('reads %s', (_name, body) => {
    expect(readProblem(body)).toEqual({ code: 5, message: 'no such voice' })
  })

  it.each([
    ['plain text', 'no such voice'],
    ['an error that is text', { error: 'no such voice' }],
    ['a code that is a name', { error: { code: 'not_found', message: 'no such voice' } }],
  ])('reads the message of %s, which has no number', (_name, body) => {
    expect(readProblem(body)).toEqual({ code: undefined, message: 'no such voice' })
  })

  it('finds no message in what is no error body', () => {
    for (const body of [null, [], 7, {}]) expect(readProblem(body).message).toBe('')
  })
})
