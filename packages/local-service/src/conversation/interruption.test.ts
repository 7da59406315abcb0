import { setTimeout as wait } from 'node:timers/promises'
import type { RealtimeClientEvent } from '@parlando/core/wire'
import {
  create,
  silence,
  text,
  transcribing,
  typesOf,
  voice,
} from '@parlando/test-support/local-service/clients/realtime-events'
import {
  openSession,
  saying,
  type TestSession,
  toStream,
} from '@parlando/test-support/local-service/clients/realtime-session'
import { describe, expect, it } from 'vitest'

/** Refers to an item that does not exist. */
const rejected: RealtimeClientEvent = {
  type: 'response.create',
  response: { input: [{ type: 'item_reference', id: 'nothing' }] },
}

describe('an interruption', () => {
  /** A session in the middle of a long response. */
  async function openSpeaking() {
    const session = await openSession({
      isTimeFree: false,
      respond: () => toStream(saying('One two three four five six seven eight nine ten. Eleven.')),
    })
    await session.send(text('Count'), create)
    for (const _ of [1, 2]) await session.next('response.output_audio.delta')
    for (const ms of [100, 300, 300]) {
      session.pass(ms)
      await session.next('response.output_audio.delta')
    }
    session.pass(200)
    return session
  }
  /** Lets the time pass until the response is played. */
  async function listenToEnd(session: TestSession) {
    const done = session.next('response.done')
    while (!typesOf(session.events).includes('response.done')) {
      session.pass(1000)
      await wait()
    }
    return done
  }
  const audioCount = ({ events }: TestSession) =>
    typesOf(events).filter((type) => type === 'response.output_audio.delta').length

  it('ends the response when the recogniser understands words, and keeps what was heard', async () => {
    const session = await openSpeaking()
    await session.say(voice(600))
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'turn_detected' },
      output: [
        { status: 'incomplete', content: [{ type: 'output_audio', transcript: 'One two three' }] },
      ],
    })
    session.recogniser.utterance = { text: 'stop' }
    await session.say(silence(700))
    await session.next('response.output_item.added')
    expect(session.requests[1]!.messages).toEqual([
      { role: 'user', content: 'Count' },
      { role: 'assistant', content: 'One two three' },
      { role: 'user', content: 'stop' },
    ])
  })

  it('only pauses the response while no words are understood, and resumes it after a noise', async () => {
    const session = await openSpeaking()
    // Recognisers take the beginning of a noise for a short word.
    session.recogniser.utterance = { text: 'the' }
    await session.say(voice(400))
    await session.next('input_audio_buffer.speech_started')
    session.pass(5000)
    await wait(20)
    expect(audioCount(session)).toBe(5)
    session.recogniser.utterance = { text: '' }
    await session.say(silence(700))
    expect(await listenToEnd(session)).toMatchObject({ response: { status: 'completed' } })
  })

  it.each<[string, RealtimeClientEvent]>([
    ['drops the turn', { type: 'input_audio_buffer.clear' }],
    ['ends the turn', { type: 'input_audio_buffer.commit' }],
    [
      'changes the settings of the input',
      { type: 'session.update', session: { audio: { input: { turn_detection: null } } } },
    ],
  ])('leaves the response to continue if the client %s', async (_how, event) => {
    const session = await openSpeaking()
    session.recogniser.utterance = { text: '' }
    await session.say(voice(400))
    await session.next('input_audio_buffer.speech_started')
    await session.send(event)
    expect(await listenToEnd(session)).toMatchObject({ response: { status: 'completed' } })
  })

  it('leaves the response to continue if the service rejects a request for another one', async () => {
    const session = await openSpeaking()
    session.recogniser.utterance = { text: '' }
    await session.say(voice(400))
    await session.next('input_audio_buffer.speech_started')
    await expect(session.send(rejected)).rejects.toThrow('nothing')
    await session.send({ type: 'input_audio_buffer.clear' })
    expect(await listenToEnd(session)).toMatchObject({ response: { status: 'completed' } })
  })

  it('ends the response at once if the client requests another one', async () => {
    const session = await openSpeaking()
    session.recogniser.utterance = { text: '' }
    await session.say(voice(400))
    await session.next('input_audio_buffer.speech_started')
    await session.send(create)
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({ status_details: { reason: 'turn_detected' } })
    await session.next('response.created')
  })

  it('is not a short word that may be a noise: the response continues, and no other follows', async () => {
    const session = await openSpeaking()
    session.recogniser.utterance = { text: 'the', confidence: 0.2 }
    // The detector learns the background.
    await session.say(silence(300))
    await session.say(voice(400))
    await session.say(silence(700))
    expect(await listenToEnd(session)).toMatchObject({ response: { status: 'completed' } })
    expect(session.requests).toHaveLength(1)
    // After the response, the same word is a turn.
    await session.say(voice(800))
    await session.say(silence(700))
    await session.next('response.created')
  })

  it.each([
    ['asks for silence', { text: 'Stop!' }],
    ['is certain', { text: 'louder', confidence: 0.9 }],
  ])('can be a single word if it %s', async (_why, utterance) => {
    const session = await openSpeaking()
    session.recogniser.utterance = utterance
    await session.say(voice(400))
    await session.say(silence(700))
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({ status_details: { reason: 'turn_detected' } })
    await session.next('response.output_item.added')
    expect(session.requests).toHaveLength(2)
  })

  it('by a client that truncates ends the response at once', async () => {
    const session = await openSpeaking()
    const { item_id } = session.events.find(
      ({ type }) => type === 'response.output_audio.delta',
    ) as { item_id: string }
    const truncate = { type: 'conversation.item.truncate', item_id, content_index: 0 } as const
    await session.send({ ...truncate, audio_end_ms: 450 })
    expect(typesOf(session.events).slice(-2)).toEqual([
      'response.done',
      'conversation.item.truncated',
    ])
    await session.send({ type: 'conversation.item.retrieve', item_id })
    expect(session.events.at(-1)).toMatchObject({
      item: { content: [{ type: 'output_audio', transcript: 'One' }] },
    })
  })

  it('by a client that truncates after the end of the audio is rejected, and the response continues', async () => {
    const session = await openSpeaking()
    const { item_id } = session.events.find(
      ({ type }) => type === 'response.output_audio.delta',
    ) as { item_id: string }
    const truncate = { type: 'conversation.item.truncate', item_id, content_index: 0 } as const
    await expect(session.send({ ...truncate, audio_end_ms: 10_000 })).rejects.toMatchObject({
      sessionCode: 'invalid_value',
    })
    expect(await listenToEnd(session)).toMatchObject({ response: { status: 'completed' } })
  })
})

it('a turn gets its response after the next one, although the service rejects a request meanwhile', async () => {
  const session = await openSession()
  await session.send(transcribing)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  session.recogniser.onWork = (work) => (work === 'end' ? released : undefined)
  session.recogniser.utterance = { text: 'what time is it' }
  // The detector learns the background.
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(700))
  await session.next('input_audio_buffer.committed')
  await session.say(voice(400))
  await session.next('input_audio_buffer.speech_started')
  release()
  await session.next('conversation.item.input_audio_transcription.completed')
  await expect(session.send(rejected)).rejects.toThrow('nothing')
  expect(typesOf(session.events)).not.toContain('response.created')
  await session.send({ type: 'input_audio_buffer.clear' })
  await session.next('response.created')
})
