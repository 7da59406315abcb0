import { responding, startTranscription } from '@parlando/test-support/servers/transcription-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Microphone } from '../../microphones/microphone.ts'
import { AnswerRecognition } from './answer-recognition.ts'
import type { Question } from './read-question.ts'

const question: Question = {
  text: 'Shall I?',
  answers: { names: [], buttons: [] },
  language: 'en-US',
  modelId: undefined,
  priority: 'normal',
  waitMs: 8000,
  speakerNames: [],
}

const silentMicrophone: Microphone = {
  cancelsEcho: false,
  listen: ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
}

it.each([
  ['as the service decides', {}, {}],
  [
    'sooner if it sounds complete',
    { silenceMs: 1000, completeSilenceMs: 200 },
    { maxTurnSilence: 1000, minEndOfTurnSilenceWhenConfident: 200 },
  ],
])('an answer ends %s', async (_how, silences, expected) => {
  const { server, client } = await startTranscription(responding())
  const { signal } = new AbortController()
  const recognition = new AnswerRecognition({
    use: (_signal, work) => work(client, signal),
    question: { ...question, ...silences },
    signal,
    onSpeech() {},
    onTurn() {},
  })
  onTestFinished(() => recognition.close())
  recognition.openEarly(silentMicrophone)
  await vi.waitFor(() => expect(server.sockets[0]?.messages).toHaveLength(1))
  const { transcribeConfig } = server.sockets[0]!.messages[0] as { transcribeConfig: object }
  const { maxTurnSilence, minEndOfTurnSilenceWhenConfident } = transcribeConfig as Record<
    string,
    unknown
  >
  const sent = { maxTurnSilence, minEndOfTurnSilenceWhenConfident }
  expect(JSON.parse(JSON.stringify(sent))).toEqual(expected)
})
