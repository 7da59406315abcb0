import { expect, it } from 'vitest'
import { hasSpeakable } from './speakable.ts'

it.each(['a', '5', '你', '— ½'])('hasSpeakable is true for %j', (text) => {
  expect(hasSpeakable(text)).toBe(true)
})

it.each(['', ' … — ', '👍', '***'])('hasSpeakable is false for %j', (text) => {
  expect(hasSpeakable(text)).toBe(false)
})
