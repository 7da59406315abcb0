import { expect, it } from 'vitest'
import type { z } from 'zod'
import { chatRequestSchema } from './chat-completion.ts'
import { parseInWords } from './parse-in-words.ts'
import { speechRequestSchema } from './speech.ts'
import { voiceDesignRequestSchema } from './voices.ts'

const problemsOf = (schema: z.ZodType, value: unknown) => {
  const parsed = parseInWords(schema, value)
  return 'problems' in parsed ? parsed.problems : []
}
const request = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }

it.each([
  [{ audioConfig: { speakingRate: 3 } }, 'audioConfig.speakingRate must be between 0.5 and 1.5'],
  [{ audioConfig: { speakingRate: 0 } }, 'audioConfig.speakingRate must be between 0.5 and 1.5'],
  [{ audioConfig: { speakingRate: '1' } }, 'audioConfig.speakingRate must be a number'],
  [{ audioConfig: { bitRate: 1.5 } }, 'audioConfig.bitRate must be a whole number'],
  [{ audioConfig: { bitRate: 1 } }, 'audioConfig.bitRate must be from 32000 to 320000 for MP3'],
  [
    { audioConfig: { sampleRate: 8000 } },
    'audioConfig.sampleRate is not a known field: did you mean sampleRateHertz?',
  ],
  [
    { audioConfig: { colour: 1, taste: 2 } },
    'audioConfig.colour is not a known field, and 1 more; known fields: audioEncoding, sampleRateHertz, bitRate, speakingRate',
  ],
  [{ audioConfig: { sampleRateHertz: 7 } }, 'audioConfig.sampleRateHertz must be one of 8000, '],
  [{ audioConfig: [] }, 'audioConfig must be an object'],
  [{ audioConfig: { audioEncoding: 'MP4' } }, 'audioConfig.audioEncoding must be one of MP3, PCM'],
  [{ voice_id: 'Clara' }, 'voice_id is not a known field: did you mean voiceId?'],
  [{ voiceId: undefined }, 'voiceId is missing'],
  [{ voiceId: '' }, 'voiceId must not be empty'],
  [{ voiceId: 7 }, 'voiceId must be text'],
  [{ enhanceGeneration: 1 }, 'enhanceGeneration must be true or false'],
  [{ text: ' ' }, 'text must contain text to speak'],
])('a problem is a phrase in plain words: %j', (change, problem) => {
  const [first] = problemsOf(speechRequestSchema, { ...request, ...change })
  expect(first).toContain(problem)
})

it.each([
  [{ model: 'm', messages: 'Hello' }, 'messages must be a list'],
  [{ model: 'm', messages: [{ role: 'user' }] }, 'messages.0.content is missing'],
  [
    { model: 'm', messages: [{ role: 'user', content: 1 }] },
    'messages.0.content must be text or a list',
  ],
  [{ model: 'm', messages: [{ role: 'me' }] }, 'messages.0.role is not valid'],
  [
    { model: 'm', messages: [{ role: 'user', content: '' }], top_p: 0 },
    'top_p must be more than 0',
  ],
  [
    { model: 'm', messages: [{ role: 'user', content: '' }], max_tokens: 0 },
    'max_tokens must be at least 1',
  ],
])('a problem of a chat is a phrase too: %j', (chat, problem) => {
  expect(problemsOf(chatRequestSchema, chat)[0]).toBe(problem)
})

it('names the length of a text', () => {
  expect(problemsOf(voiceDesignRequestSchema, { langCode: 'EN_US', designPrompt: 'x' })).toEqual([
    'designPrompt must have at least 30 characters',
  ])
})

it('suggests names for the first hundred unknown fields only', () => {
  const previousRequests = Array.from({ length: 102 }, () => ({ text: '', txt: '' }))
  const problems = problemsOf(speechRequestSchema, {
    ...request,
    synthesisContext: { previousRequests },
  })
  expect(problems).toHaveLength(102)
  const field = (index: number) => `synthesisContext.previousRequests.${index}.txt`
  expect(problems[99]).toBe(`${field(99)} is not a known field: did you mean text?`)
  expect(problems[101]).toBe(`${field(101)} is not a known field`)
})

it('returns the parsed value', () => {
  expect(parseInWords(speechRequestSchema, request)).toEqual({ data: request })
})

it.each(['mp3', 'Mp3', 'MP3'])('takes the encoding in any letter case: %s', (audioEncoding) => {
  const parsed = parseInWords(speechRequestSchema, { ...request, audioConfig: { audioEncoding } })
  expect(parsed).toMatchObject({ data: { audioConfig: { audioEncoding: 'MP3' } } })
})
