import { expect, it } from 'vitest'
import { parseInput } from './parse-input.ts'
import { chatRequestSchema } from './wire/chat.ts'
import { type SpeechRequest, speechRequestSchema } from './wire/speech.ts'

it.each([
  [{ text: 'Hello', modelId: '' }, 'voiceId is missing; modelId must not be empty'],
  [{ text: ' ', voiceId: 'Clara', modelId: 'm' }, 'text must contain text to speak'],
  [{ text: 'Hello', voiceId: 7, modelId: 'm' }, 'voiceId must be text'],
  [undefined, 'the value is missing'],
  ['Hello', 'the value must be an object'],
])('names the problems of %j', (request, problem) => {
  const parse = () => parseInput(speechRequestSchema, request as SpeechRequest, 'Speech request')
  expect(parse).toThrow(`Speech request not valid: ${problem}`)
})

it('limits the number and the length of the problems', () => {
  const messages = Array.from({ length: 1000 }, () => ({ role: 'user' }))
  const many = () =>
    parseInput(chatRequestSchema, { model: 'm', messages } as never, 'Chat request')
  expect(many).toThrow(
    /messages\.0\.content is missing.*messages\.4\.content is missing; and 995 more$/,
  )
  const request = { text: 'Hello', voiceId: 'Clara', modelId: 'm', ['a'.repeat(30_000)]: 1 }
  const long = () => parseInput(speechRequestSchema, request, 'Speech request')
  expect(long).toThrow(/^Speech request not valid: a{100,200}…$/)
})
