import { RED } from '@parlando/test-support/node-red/fake-red'
import { expect, it } from 'vitest'
import { readVoicesRequest } from './voices-request.ts'

const settings = { operation: 'list', voice: '' } as const

it.each([
  ['clean', '"clean"'],
  [{}, '"(object)"'],
  [Symbol('get'), '"(symbol)"'],
  ['x'.repeat(5_000_000), `"${'x'.repeat(50)}"`],
])('shortens an unknown operation in the error: %#', (operation, named) => {
  const read = () => readVoicesRequest(RED, settings, { _msgid: '', operation })
  expect(read).toThrow(`voices.error.operation {"operation":${named},"known":"list, get,`)
})
