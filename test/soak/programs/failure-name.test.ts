import { InputError } from '@parlando/core/errors'
import { expect, it } from 'vitest'
import { toFailure } from '../../../packages/node-red-nodes/src/runtime/failure.ts'
import { failureName } from './failure-name.js'

it.each([
  ['its text if it has no code', toFailure(new Error('It did not start')), 'It did not start'],
  ['its code if it has one', toFailure(new InputError('text is missing')), 'INVALID_INPUT'],
  ['its text if it is an error of Node-RED', new Error('It is broken'), 'It is broken'],
])('a failure is called by %s', (_what, failure, name) => {
  expect(failureName(failure)).toBe(name)
})
