import {
  commit,
  create,
  silence,
  takeTurn,
  transcribing,
  typesOf,
  voice,
} from '@parlando/test-support/local-service/clients/realtime-events'
import { openSession } from '@parlando/test-support/local-service/clients/realtime-session'
import { describe, expect, it } from 'vitest'

const open = () => openSession({ type: 'transcription' })
const delta = 'conversation.item.input_audio_transcription.delta'
const completed = 'conversation.item.input_audio_transcription.completed'
const update = (input: object) =>
  ({ type: 'session.update', session: { type: 'transcription', audio: { input } } }) as const

describe('a session that only transcribes', () => {
  it('reports each turn while it is spoken, and nobody responds', async () => {
    const session = await open()
    session.recogniser.utterance = { text: 'what time is it' }
    for (const sound of [silence(300), voice(800), silence(700)]) await session.say(sound)
    const { transcript } = await session.next(completed)
    expect(transcript).toBe('what time is it')
    expect(typesOf(session.events)).toEqual([
      'session.created',
      'input_audio_buffer.speech_started',
      delta,
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      completed,
    ])
    const ids = session.events.flatMap((event) => ('item_id' in event ? [event.item_id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(session.requests).toEqual([])
  })

  it('has settings of its own', async () => {
    const session = await open()
    const transcription = { model: 'whisper-1', languages: ['de'], keywords: ['Parlando'] }
    await session.send(update({ transcription, turn_detection: null }))
    const { session: settings } = await session.next('session.updated')
    expect(settings).toEqual({
      type: 'transcription',
      object: 'realtime.transcription_session',
      id: expect.stringMatching(/^sess_/),
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          noise_reduction: null,
          transcription: { ...transcription, language: 'de' },
          turn_detection: null,
        },
      },
      include: null,
    })
    await session.say(voice(300))
    await session.send(commit)
    await session.next(completed)
    expect(session.recogniser.requests).toMatchObject([{ language: 'de', prompts: ['Parlando'] }])
  })

  it.each(['gpt-realtime-whisper', 'gpt-live-transcribe'])(
    'leaves the end of a turn to a client of %s that asks for no turn detection',
    async (model) => {
      const session = await open()
      await session.send(update({ transcription: { model } }))
      for (const sound of [silence(300), voice(800), silence(700)]) await session.say(sound)
      await session.send(commit)
      await session.next(completed)
      expect(typesOf(session.events)).not.toContain('input_audio_buffer.speech_started')
    },
  )

  it('rejects what belongs to a conversation', async () => {
    const session = await open()
    await expect(session.send(create)).rejects.toMatchObject({ sessionCode: 'invalid_request' })
    await expect(
      session.send({ type: 'session.update', session: { type: 'realtime' } }),
    ).rejects.toMatchObject({ sessionCode: 'invalid_value', param: 'session.type' })
  })

  it('forgets the turn that the client drops', async () => {
    const session = await open()
    for (const sound of [silence(300), voice(800)]) await session.say(sound)
    await session.send({ type: 'input_audio_buffer.clear' })
    session.recogniser.utterance = { text: 'good morning' }
    for (const sound of [silence(300), voice(800), silence(700)]) await session.say(sound)
    expect(await session.next(completed)).toMatchObject({ transcript: 'good morning' })
    const last = session.events.findLast(({ type }) => type === delta)
    expect(last).toMatchObject({ delta: 'good morning' })
  })
})

it('a session that responds reports a turn after its end', async () => {
  const session = await openSession()
  await session.send(transcribing)
  session.recogniser.utterance = { text: 'what time is it' }
  await takeTurn(session)
  const types = typesOf(session.events)
  expect(types.indexOf(delta)).toBeGreaterThan(types.indexOf('conversation.item.added'))
})
