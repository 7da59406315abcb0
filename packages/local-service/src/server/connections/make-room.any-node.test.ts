import { expect, it } from 'vitest'
import { chooseSilent, chooseToClose } from './make-room.ts'

const one = { address: 'a', isBusy: false, lastEventMs: 1 }

it('an idle connection makes room before a busy one, and the one that has been silent for longest', () => {
  const busy = { ...one, isBusy: true, lastEventMs: 0 }
  const later = { ...one, lastEventMs: 2 }
  expect(chooseToClose([busy, later, one])).toBe(one)
  expect(chooseToClose([{ ...busy, lastEventMs: 1 }, busy])).toBe(busy)
  expect(chooseToClose([])).toBeUndefined()
})

it('a connection of the address with the most connections makes room first', () => {
  const busy = { ...one, isBusy: true, lastEventMs: 2 }
  const other = { ...one, address: 'b' }
  expect(chooseToClose([other, busy, { ...busy, lastEventMs: 3 }])).toBe(busy)
})

it('only a connection that has been silent for 10 s and waits for nothing is replaced', () => {
  const now = performance.now()
  const silent = { ...one, lastEventMs: now - 10_000 }
  const busy = { ...silent, isBusy: true }
  const recent = { ...one, lastEventMs: now - 5000 }
  expect(chooseSilent([busy, recent, silent])).toBe(silent)
  expect(chooseSilent([busy, recent])).toBeUndefined()
})
