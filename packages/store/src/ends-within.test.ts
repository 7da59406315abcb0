import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { expect, it } from 'vitest'
import { endsWithin } from './ends-within.ts'

it('says whether something ends in time', async () => {
  expect(await endsWithin(10, new Promise(() => {}))).toBe(false)
  expect(await endsWithin(10_000, Promise.resolve())).toBe(true)
  await expect(endsWithin(10_000, Promise.reject(new Error('lost')))).rejects.toThrow('lost')
})

it('counts what ends in time while the process is busy', async () => {
  // From here on, the event loop runs timers before it reads what has arrived.
  await setImmediate()
  const isInTime = endsWithin(100, stat(import.meta.dirname))
  holdEventLoop(1_000)
  expect(await isInTime).toBe(true)
})

it('gives the time to what goes on only when this machine does', async () => {
  const ending = new Promise<void>((resolve) => {
    setTimeout(() => setTimeout(resolve, 100), 1)
  })
  const isInTime = endsWithin(1_000, ending)
  holdEventLoop(1_500)
  expect(await isInTime).toBe(true)
})
