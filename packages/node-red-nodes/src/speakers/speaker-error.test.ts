import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { expect, it } from 'vitest'
import { notPlayedInBrowser, speakerClosed } from './speaker-error.ts'

it.each([
  ['that a deploy has closed', speakerClosed, /removed by a deploy/, /durch ein Deploy/],
  ['that is a closed page', notPlayedInBrowser, /was closed/, /wurde geschlossen/],
])('the error of a speaker %s is in the language of Node-RED', (_what, create, english, german) => {
  const [inEnglish, inGerman] = [create(speakerTexts.en), create(speakerTexts.de)]
  expect(inEnglish.message).toMatch(english)
  expect(inGerman.message).toMatch(german)
  expect(inGerman.code).toBe(inEnglish.code)
})
