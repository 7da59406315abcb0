import { expect, it } from 'vitest'
import { percentFree, type RunningEngines } from './engine-registry.ts'

const enginesWith = (alive: number, waiting: number) =>
  new Map([
    ['one', { engine: { threads: { alive } }, scheduler: { waiting, running: alive } }],
  ]) as unknown as RunningEngines

it.each([
  [2, 0, 100],
  [2, 2, 50],
  [2, 6, 25],
  [1, 1000, 1],
])('a service with %i threads for which %i phrases wait can take %i %%', (alive, waiting, free) => {
  expect(percentFree(enginesWith(alive, waiting))).toBe(free)
})

it('a service without engines takes what it is given', () => {
  expect(percentFree(new Map())).toBe(100)
})
