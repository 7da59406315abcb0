import type { RealtimeSession } from '@parlando/core/wire'
import {
  commit,
  create,
  manual,
  silence,
  takeTurn,
  text,
  transcribing,
  voice,
} from '@parlando/test-support/local-service/clients/realtime-events'
import {
  openSession,
  type TestSession,
} from '@parlando/test-support/local-service/clients/realtime-session'
import { expect, it } from 'vitest'

const sentence =
  'The user speaks German. Respond in German, unless these instructions name another language.'
const german = { text: 'guten Tag', language: 'de' }

/** @param voices by the languages that Kit, the voice of the session, does not speak. */
async function openBilingual(
  session: RealtimeSession = {},
  voices: Record<string, string> = { de: 'Greta' },
) {
  const opened = await openSession({
    findVoiceFor: (language, voice) => (language === 'en' ? voice : voices[language]),
  })
  opened.recogniser.utterance = german
  await opened.send(transcribing, { type: 'session.update', session })
  return opened
}

const voiceOf = ({ response }: Awaited<ReturnType<typeof takeTurn>>) =>
  (response.audio as { output: { voice: string } }).output.voice
const systemOf = ({ requests }: TestSession) =>
  requests.at(-1)!.messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []))

it('the model responds in the language that was heard, by a voice that speaks it', async () => {
  const session = await openBilingual({ instructions: 'Be brief.' })
  expect(voiceOf(await takeTurn(session))).toBe('Greta')
  expect(systemOf(session)).toEqual([`Be brief.\n\n${sentence}`])
  session.recogniser.utterance = { text: 'good morning', language: 'en' }
  expect(voiceOf(await takeTurn(session))).toBe('Kit')
})

it('the client is told which language was heard', async () => {
  const session = await openBilingual()
  await takeTurn(session)
  expect(session.events).toContainEqual(
    expect.objectContaining({
      type: 'conversation.item.input_audio_transcription.completed',
      transcript: 'guten Tag',
      language: 'de',
    }),
  )
})

it('a response that begins before its turn is transcribed waits for the language', async () => {
  const session = await openBilingual()
  await session.send(manual)
  await session.say(voice(300))
  await session.send(commit, create)
  expect(voiceOf(await session.next('response.done'))).toBe('Greta')
  expect(systemOf(session)).toEqual([sentence])
})

it('a response that begins in a pause is in that language, and is not begun anew', async () => {
  const endOfTurnModel = { async prepare() {}, isComplete: async () => false, async close() {} }
  const session = await openSession({ endOfTurnModel, findVoiceFor: () => 'Greta' })
  session.recogniser.utterance = german
  await session.send({
    type: 'session.update',
    session: { audio: { input: { turn_detection: { type: 'semantic_vad' } } } },
  })
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(1200))
  expect(voiceOf(await session.next('response.done'))).toBe('Greta')
  expect(session.requests).toHaveLength(1)
  expect(systemOf(session)).toEqual([sentence])
})

it('a text has the language without a voice that speaks it, and a voice has not', async () => {
  const spoken = await openBilingual({}, {})
  expect(voiceOf(await takeTurn(spoken))).toBe('Kit')
  expect(systemOf(spoken)).toEqual([])
  const written = await openBilingual({ output_modalities: ['text'] }, {})
  await takeTurn(written)
  expect(systemOf(written)).toEqual([sentence])
})

it('a single word does not change the language', async () => {
  const session = await openBilingual()
  session.recogniser.utterance = { text: 'Okay.', language: 'cy' }
  await takeTurn(session)
  expect(systemOf(session)).toEqual([])
  session.recogniser.utterance = german
  await takeTurn(session)
  session.recogniser.utterance = { text: 'Okay.', language: 'cy' }
  expect(voiceOf(await takeTurn(session))).toBe('Greta')
  expect(systemOf(session)).toEqual([sentence])
})

it('a client that names the language of the user decides it', async () => {
  const session = await openBilingual({ audio: { input: { transcription: { language: 'en' } } } })
  expect(voiceOf(await takeTurn(session))).toBe('Kit')
  expect(systemOf(session)).toEqual([])
})

it('a user who writes meanwhile may write in another language', async () => {
  const session = await openBilingual()
  await takeTurn(session)
  await session.send(text('Good morning, again'), create)
  await session.next('response.done')
  expect(systemOf(session)).toEqual([])
})
