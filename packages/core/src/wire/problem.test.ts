import { describe, expect, it } from 'vitest'
import { codeOfHttpStatus, readProblem } from './problem.ts'

describe('readProblem', () => {
  it.each([
    ['the bare form', { code: 5, message: 'no such voice', details: [] }],
    ['the wrapped form', { error: { code: 5, message: 'no such voice' } }],
    ['a detail if the message is empty', { code: 5, message: '', details: ['no such voice'] }],
    ['the name of the code', { error: { code: 'not_found', message: 'no such voice' } }],
    ['the message of a detail', { code: 5, details: [null, { message: 'no such voice' }] }],
  ])('reads %s', (_name, body) => {
    expect(readProblem(body)).toEqual({ code: 5, message: 'no such voice' })
  })

  it.each([
    ['plain text', 'no such voice'],
    ['an error that is a string', { error: 'no such voice' }],
    ['the detail of FastAPI', { detail: 'no such voice' }],
    ['a structured detail of FastAPI', { detail: { error: 'x', message: 'no such voice' } }],
    ['a list of details of FastAPI', { detail: [{ loc: ['body'], msg: 'no such voice' }] }],
    ['an error of another service', { error: { code: 'no_voice', message: 'no such voice' } }],
  ])('reads the message of %s, which has no number', (_name, body) => {
    expect(readProblem(body)).toEqual({ code: undefined, message: 'no such voice' })
  })

  it('finds no message in any other body', () => {
    for (const body of [null, [], 7, {}]) expect(readProblem(body).message).toBe('')
  })
})

describe('codeOfHttpStatus', () => {
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [402, 'RESOURCE_EXHAUSTED'],
    [404, 'NOT_FOUND'],
    [408, 'DEADLINE_EXCEEDED'],
    [409, 'ABORTED'],
    [418, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
    [507, 'INTERNAL'],
  ])('maps %i to %s', (status, code) => {
    expect(codeOfHttpStatus(status)).toBe(code)
  })

  it.each([200, 302, 399, 600])('maps %i, which is not an error, to nothing', (status) => {
    expect(codeOfHttpStatus(status)).toBeUndefined()
  })
})
