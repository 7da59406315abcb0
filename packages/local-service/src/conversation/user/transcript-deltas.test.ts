import { expect, it } from 'vitest'
import { TranscriptDeltas } from './transcript-deltas.ts'

it('two interim transcripts in a row must agree about a word', () => {
  const deltas = new TranscriptDeltas()
  const interims = [
    'switch',
    'switch the',
    'switch the lie',
    'switch the light',
    'switch the light',
  ]
  expect(interims.map((interim) => deltas.push(interim))).toEqual([
    '',
    'switch',
    ' the',
    '',
    ' light',
  ])
  expect(deltas.end('switch the light on')).toBe(' on')
})

it('nothing is sent that a client would have to take back', () => {
  const deltas = new TranscriptDeltas()
  const pushed = ['wreck a', 'wreck a', 'recognise', 'recognise'].map((text) => deltas.push(text))
  expect(pushed).toEqual(['', 'wreck a', '', ''])
  expect(deltas.end('recognise speech')).toBe('')
})

it('languages without spaces have deltas too', () => {
  const deltas = new TranscriptDeltas()
  expect(['今日', '今日', '今日は'].map((text) => deltas.push(text))).toEqual(['', '今日', ''])
  expect(deltas.end('今日は晴れ')).toBe('は晴れ')
})
