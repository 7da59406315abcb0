import { createRequire } from 'node:module'
import { ApiError, InputError } from '@parlando/core'
import { describe, expect, it } from 'vitest'
import { causeOf, NodeInputError, toFailure } from './failure.ts'

const require = createRequire(import.meta.url)

const rejected = new ApiError('Speech rejected (429 RESOURCE_EXHAUSTED): too much', {
  code: 'RESOURCE_EXHAUSTED',
  status: 429,
  retryable: true,
  requestId: 'r1',
})

describe('a failure', () => {
  // Installed for the tests: the packages of Node-RED 5 and, under another name, of Node-RED 4.
  it.each(['node-red', 'node-red-4'])('reads as a sentence in the debug sidebar of %s', (name) => {
    const { encodeObject } = createRequire(require.resolve(name))('@node-red/util').util
    const shown = encodeObject({ msg: toFailure(rejected) }, { maxLength: 1000 })
    expect(shown).toMatchObject({ msg: rejected.message, format: 'String' })
  })

  it('has the properties that Catch copies', () => {
    const failure = toFailure(rejected)
    expect(failure.toString()).toBe(rejected.message)
    expect(Object.hasOwn(failure, 'code') && failure.code).toBe('RESOURCE_EXHAUSTED')
    expect(Object.hasOwn(failure, 'cause') && failure.cause).toEqual({
      retryable: true,
      status: 429,
      requestId: 'r1',
    })
    expect(Object.hasOwn(failure, 'stack')).toBe(false)
  })
})

describe('the cause in the status', () => {
  it.each([
    [new NodeInputError('msg.payload is an object: choose a property'), 'msg.payload is an object'],
    [
      new InputError('Speech request not valid: a is missing; b is missing', [
        'a is missing',
        'b is missing',
      ]),
      'a is missing',
    ],
    [
      new ApiError('Speech rejected (400 INVALID_ARGUMENT): Unknown model "x"; known: y', {
        code: 'INVALID_ARGUMENT',
        status: 400,
        retryable: false,
      }),
      'Unknown model "x"',
    ],
    [
      new ApiError(
        'Speech rejected (400 INVALID_ARGUMENT): text: This voice speaks English; use it',
        {
          code: 'INVALID_ARGUMENT',
          status: 400,
          retryable: false,
        },
      ),
      'This voice speaks English',
    ],
    [new NodeInputError('a'.repeat(200)), `${'a'.repeat(59)}…`],
  ])('is the first clause of the reason: %s', (error, cause) => {
    expect(causeOf(error)).toBe(cause)
  })

  it('is absent where the code of the error says enough', () => {
    expect(causeOf(rejected)).toBeUndefined()
    expect(causeOf({ message: 'odd' })).toBeUndefined()
  })
})
