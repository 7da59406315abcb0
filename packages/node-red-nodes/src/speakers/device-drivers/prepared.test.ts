import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Prepared } from './prepared.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function usePrepared() {
  const closed: string[] = []
  const prepared = new Prepared<string>((opened) => closed.push(opened))
  return { prepared, closed }
}

it('keeps a connection for one sound', () => {
  const { prepared, closed } = usePrepared()
  prepared.keep('a')
  expect([prepared.take(), prepared.take()]).toEqual(['a', undefined])
  vi.runAllTimers()
  expect(closed).toEqual([])
})

it('closes a connection that no sound has taken in time, or that another one replaces', () => {
  const { prepared, closed } = usePrepared()
  prepared.keep('a')
  prepared.keep('b')
  expect(closed).toEqual(['a'])
  vi.runAllTimers()
  expect(closed).toEqual(['a', 'b'])
  expect(prepared.take()).toBeUndefined()
})

it('closes what it keeps, and leaves no timer behind', () => {
  const { prepared, closed } = usePrepared()
  prepared.keep('a')
  prepared.close()
  expect(closed).toEqual(['a'])
  expect(vi.getTimerCount()).toBe(0)
})
