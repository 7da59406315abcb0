import { expect, it } from 'vitest'
import { defaultVoiceOf } from './default-voice.ts'

const voices = [
  { voiceId: 'american', langCode: 'EN_US' },
  { voiceId: 'second', langCode: 'EN_US' },
  { voiceId: 'british', langCode: 'EN_GB' },
  { voiceId: 'german', langCode: 'DE_DE' },
  { voiceId: 'several', langCode: 'AUTO', promptLanguages: ['FR_FR', 'DE_DE'] },
]

it.each([
  ['en', 'american'],
  ['en-US', 'american'],
  ['en-GB', 'british'],
  ['EN_GB', 'british'],
  ['en-AU', 'american'],
  ['de', 'german'],
  ['de-AT', 'german'],
  ['fr', 'several'],
  ['ja', 'american'],
  ['AUTO', 'american'],
  ['not a language', 'american'],
])('speaks %s with the voice %s', (language, voiceId) => {
  expect(defaultVoiceOf(voices, language)?.voiceId).toBe(voiceId)
})

it('is absent without voices', () => {
  expect(defaultVoiceOf([], 'en')).toBeUndefined()
})
