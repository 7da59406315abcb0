import { expect, it } from 'vitest'
import { parseInput } from './parse-input.ts'
import { type SpeechRequest, speechRequestSchema } from './wire/speech.ts'

it.each([
  [{ text: 'Hello', modelId: '' }, 'voiceId: is missing; modelId: no model is chosen'],
  [{ text: ' ', voiceId: 'Clara', modelId: 'm' }, 'text: there is no text to speak'],
  [
    { text: 'Hello', voiceId: 7, modelId: 'm' },
    'voiceId: Invalid input: expected string, received number',
  ],
  [undefined, 'is missing'],
])('says of %j what is wrong with it', (request, problem) => {
  const parse = () => parseInput(speechRequestSchema, request as SpeechRequest, 'Speech request')
  expect(parse).toThrow(`Speech request not valid: ${problem}`)
})
