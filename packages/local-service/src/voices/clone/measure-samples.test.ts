import { expect, it } from 'vitest'
import { tooLittleSpeech } from './measure-samples.ts'

it('the error about too little speech rounds its length down', () => {
  expect(tooLittleSpeech(2.99)).toMatch('contain only 2.9 s of speech; at least 3 s are needed')
  expect(tooLittleSpeech(0.5)).toMatch('only 0.5 s')
})
