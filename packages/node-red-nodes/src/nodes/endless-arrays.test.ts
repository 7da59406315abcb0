import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { readPlayback } from '../playback/playback-settings.ts'
import { readSamples } from './clone-voice/samples.ts'
import { readSentences, readTranscriptionRequest } from './listen/transcription-request.ts'
import { readVoicesRequest } from './voices/voices-request.ts'

const RED = { _: (key: string) => key } as NodeAPI
const endless = new Array(2 ** 31)
const listenMessage = (more: object) => ({ _msgid: '1', ...more })

it.each([
  ['msg.speakers', () => readPlayback(RED, {}, { speakers: endless })],
  ['recordings', () => readSamples(RED, endless, 'msg.payload')],
  ['msg.prompts', () => readTranscriptionRequest(RED, {}, listenMessage({ prompts: endless }))],
  ['msg.sentences', () => readSentences(RED, {}, listenMessage({ sentences: endless }))],
])('two billion empty places are rejected at once: %s', (_title, read) => {
  expect(read).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
})

it('two billion empty places are not gone through as languages of voices', () => {
  const { languages } = readVoicesRequest(RED, {}, listenMessage({ languages: endless }))
  expect(languages).toEqual(['(object)'])
})
