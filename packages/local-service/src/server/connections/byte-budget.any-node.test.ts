import { expect, it, vi } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

it('the connection that holds most makes room', () => {
  const budget = createByteBudget(100)
  const close = [vi.fn(), vi.fn(), vi.fn()]
  const accounts = close.map((each) => budget.open(each))
  accounts[0]!.hold(30)
  accounts[1]!.hold(60)
  accounts[0]!.hold(40)
  expect(close.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0])
  accounts[2]!.hold(10)
  expect(close.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0])
  // The closed connection no longer counts.
  accounts[1]!.hold(0)
  accounts[2]!.hold(60)
  expect(close.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0])
})
