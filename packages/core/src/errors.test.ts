import { describe, expect, it } from 'vitest'
import * as errors from './errors.ts'

const { ApiError, ConnectionError, InputError, ParlandoError, ProtocolError, TimeoutError } = errors

function oneOfEach(copy: typeof errors) {
  return {
    InputError: new copy.InputError('x'),
    ConnectionError: new copy.ConnectionError('x', { code: 'NOT_REACHABLE', retryable: true }),
    TimeoutError: new copy.TimeoutError('x', { phase: 'total', timeoutMs: 1, retryable: false }),
    ApiError: new copy.ApiError('x', { code: 'NOT_FOUND', status: 404, retryable: false }),
    ProtocolError: new copy.ProtocolError('x', { code: 'NO_AUDIO' }),
  }
}

const classes = { InputError, ConnectionError, TimeoutError, ApiError, ProtocolError }
const names = Object.keys(classes) as (keyof typeof classes)[]

describe('isInstance', () => {
  it.each(names)('of %s is true only for errors of that class', (name) => {
    for (const [other, error] of Object.entries(oneOfEach(errors))) {
      expect(classes[name].isInstance(error)).toBe(other === name)
      expect(ParlandoError.isInstance(error)).toBe(true)
    }
    const base = new ParlandoError('x', { code: 'TOO_MANY_CALLS', retryable: true })
    expect(classes[name].isInstance(base)).toBe(false)
    expect(ParlandoError.isInstance(base)).toBe(true)
  })

  it('is true for errors of another copy of the package', async () => {
    // Another module for the loader. To reset the modules would give the next files of this worker copies of all of them.
    const path = './errors.ts?copy'
    const copy: typeof errors = await import(path)
    expect(copy.ApiError).not.toBe(ApiError)
    const foreign = oneOfEach(copy)
    for (const name of names) {
      expect(foreign[name]).not.toBeInstanceOf(classes[name])
      expect(classes[name].isInstance(foreign[name])).toBe(true)
    }
  })

  it.each([undefined, null, 'x', {}, new Error('x'), Object.create(null)])(
    'is false for anything else: %o',
    (value) => {
      for (const name of names) expect(classes[name].isInstance(value)).toBe(false)
    },
  )

  it('narrows the code', () => {
    const error: unknown = new ApiError('x', { code: 'NOT_FOUND', status: 404, retryable: false })
    if (!ApiError.isInstance(error)) throw error
    // The compiler checks this line: StatusCode has no INVALID_INPUT.
    const code: Exclude<errors.ErrorCode, 'INVALID_INPUT'> = error.code
    expect(code).toBe('NOT_FOUND')
  })
})
