import { expect, it } from 'vitest'
import { hasSpeakable } from './speakable.ts'

it.each(['a', '5', '你', '— ½'])('hasSpeakable is true of %j', (text) => {
  expect(hasSpeakable(text)).toBe(true)
})

it.each(['', ' … — ', '👍', '***'])('hasSpeakable is false of %j', (text) => {
  expect(hasSpeakable(text)).toBe(false)
})
