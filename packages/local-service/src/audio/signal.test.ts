import { expect, it } from 'vitest'
import { createSignal } from './signal.ts'

const ramp = (start: number, length: number) =>
  Float32Array.from({ length }, (_, index) => start + index)

it('a signal keeps all samples that it was not told to forget, in pieces of any length', () => {
  const signal = createSignal()
  signal.push(ramp(0, 10))
  signal.push(ramp(10, 100_000))
  expect(signal.start).toBe(0)
  expect(signal.length).toBe(100_010)
  expect(signal.samples).toEqual(ramp(0, 100_010))
})

it('a signal forgets what comes before an index, and the indices stay', () => {
  const signal = createSignal()
  signal.push(ramp(0, 10))
  signal.forget(4)
  expect(signal).toMatchObject({ start: 4, length: 10, samples: ramp(4, 6) })
  signal.push(ramp(10, 5))
  signal.forget(2)
  expect(signal).toMatchObject({ start: 4, length: 15, samples: ramp(4, 11) })
})

it('a signal forgets no samples that have not arrived', () => {
  const signal = createSignal()
  signal.push(ramp(0, 10))
  signal.forget(20)
  signal.push(ramp(10, 5))
  expect(signal).toMatchObject({ start: 10, length: 15, samples: ramp(10, 5) })
})
