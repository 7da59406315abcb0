import { expect, it } from 'vitest'
import { FairShare } from './scheduler.ts'

it('counts how much the engine has worked for each caller', () => {
  const share = new FairShare()
  share.enter('a')
  share.enter('b')
  share.charge('a', 40)
  expect([share.servedMs('a'), share.servedMs('b')]).toEqual([40, 0])
})

it('gives a caller who comes late no credit for the time before', () => {
  const share = new FairShare()
  share.enter('a')
  share.charge('a', 1000)
  share.enter('late')
  expect(share.servedMs('late')).toBe(1000)
})

it('forgets a caller who wants nothing any more', () => {
  const share = new FairShare()
  share.enter('a')
  const leave = share.enter('b')
  const leaveAgain = share.enter('b')
  share.charge('b', 500)
  leave()
  expect(share.servedMs('b')).toBe(500)
  leaveAgain()
  share.enter('b')
  expect(share.servedMs('b')).toBe(0)
})
