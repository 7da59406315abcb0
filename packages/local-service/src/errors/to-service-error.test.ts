import { describe, expect, it } from 'vitest'
import { EngineError } from './engine-error.ts'
import { ServiceError } from './service-error.ts'
import { isServiceFault, toServiceError } from './to-service-error.ts'

describe('toServiceError', () => {
  it.each([
    ['unavailable', 'UNAVAILABLE', 503],
    ['input', 'INVALID_ARGUMENT', 400],
    ['timeout', 'DEADLINE_EXCEEDED', 504],
  ] as const)('maps an engine error of kind %s to %s', (kind, code, httpStatus) => {
    const error = toServiceError(new EngineError(kind, 'The voice Clara crashed'))
    expect(error).toMatchObject({ code, httpStatus, message: 'The voice Clara crashed' })
  })

  it('passes on the response of an engine that is a service itself', () => {
    const response = new ServiceError('NOT_FOUND', 'no such voice')
    expect(toServiceError(new EngineError('input', 'no such voice', { response }))).toBe(response)
  })

  it('keeps the message of an unforeseen error to the log', () => {
    expect(toServiceError(new Error('/home/me'))).toMatchObject({
      code: 'INTERNAL',
      message: expect.not.stringContaining('/home/me'),
    })
  })
})

describe('isServiceFault', () => {
  const response = new ServiceError('UNAVAILABLE', 'away')
  it.each([
    ['a broken engine', new EngineError('unavailable', ''), true],
    ['an engine that hung', new EngineError('timeout', ''), true],
    ['a phrase that an engine rejects', new EngineError('input', ''), false],
    ['a failure of an upstream service', new EngineError('unavailable', '', { response }), false],
    ['an error response', new ServiceError('NOT_FOUND', ''), false],
    ['an unforeseen error', new TypeError(''), true],
  ])('decides on %s', (_what, error, expected) => {
    expect(isServiceFault(error)).toBe(expected)
  })
})
