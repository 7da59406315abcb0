import { expect, it } from 'vitest'
import { Retries } from './retries.ts'

it('the texts of a job share its further attempts', () => {
  const retries = new Retries([1, 5])
  expect([retries.next('Clara'), retries.next('Clara')]).toEqual([1, 5])
  expect([retries.next('Clara'), retries.next('Kit')]).toEqual([undefined, undefined])
})

it('a voice that speaks again gives the attempts back', () => {
  const retries = new Retries([1, 5])
  retries.next('Clara')
  retries.noteSpoken('Clara')
  expect([retries.next('Clara'), retries.next('Clara')]).toEqual([1, 5])
  retries.next('Kit')
  retries.noteSpoken('Kit')
  expect(retries.next('Clara')).toBe(1)
})

it('a voice that was not away gives no attempts back', () => {
  const retries = new Retries([1])
  retries.next('Clara')
  retries.noteSpoken('Kit')
  expect(retries.next('Clara')).toBeUndefined()
})
