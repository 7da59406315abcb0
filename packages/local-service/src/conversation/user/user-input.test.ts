import { setTimeout as wait } from 'node:timers/promises'
import { type RealtimeServerEvent, realtimeServerEventSchema } from '@parlando/core/wire'
import {
  commit,
  create,
  manual,
  silence,
  takeTurn,
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
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors/service-error.ts'

describe('a turn with voice activity detection', () => {
  it('has every event in the order that clients need', async () => {
    const session = await openSession()
    await session.send(transcribing)
    session.recogniser.utterance = { text: 'what time is it' }
    await takeTurn(session)
    const repeated = ['response.output_audio.delta']
    const types = typesOf(session.events).filter(
      (type, index, all) => !(repeated.includes(type) && all[index - 1] === type),
    )
    expect(types).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      'conversation.item.input_audio_transcription.delta',
      'conversation.item.input_audio_transcription.completed',
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'response.output_audio_transcript.delta',
      'response.output_audio.delta',
      'response.output_audio_transcript.delta',
      'response.output_audio.delta',
      'response.output_audio.done',
      'response.output_audio_transcript.done',
      'response.content_part.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
    ])
    for (const event of session.events) realtimeServerEventSchema.parse(event)
    expect(session.requests[0]!.messages).toEqual([{ role: 'user', content: 'what time is it' }])
  })

  it('names the items, their order and the times in the audio of the session', async () => {
    const session = await openSession()
    await takeTurn(session)
    await takeTurn(session)
    const started = session.events.filter(
      ({ type }) => type === 'input_audio_buffer.speech_started',
    )
    expect(started).toMatchObject([{ audio_start_ms: 0 }, { audio_start_ms: expect.any(Number) }])
    const second = started[1]!['audio_start_ms'] as number
    expect(second).toBeGreaterThan(1700)
    const added = session.events.flatMap((event) =>
      event.type === 'conversation.item.added' ? [event] : [],
    )
    expect(added.map(({ previous_item_id: id }) => id)).toEqual([
      null,
      ...added.slice(0, -1).map(({ item }) => item.id),
    ])
  })

  it('keeps its id, which no item of the client gets', async () => {
    const session = await openSession()
    await session.say(voice(800))
    const { item_id: id } = await session.next('input_audio_buffer.speech_started')
    const taken = session.send({ ...text('Hi'), item: { ...text('Hi').item, id } })
    await expect(taken).rejects.toMatchObject({ sessionCode: 'invalid_value', param: 'item.id' })
    await session.say(silence(700))
    expect(await session.next('input_audio_buffer.committed')).toMatchObject({ item_id: id })
  })

  it('gets no response if the recogniser finds no words', async () => {
    const session = await openSession()
    await session.send(transcribing)
    session.recogniser.utterance = { text: '' }
    await session.say(voice(800))
    await session.say(silence(700))
    const { transcript } = await session.next(
      'conversation.item.input_audio_transcription.completed',
    )
    expect(transcript).toBe('')
    await new Promise(setImmediate)
    expect(typesOf(session.events)).not.toContain('response.created')
  })

  it('reports a recogniser that fails, and continues', async () => {
    const session = await openSession()
    await session.send(transcribing)
    session.recogniser.onWork = (work) => {
      if (work === 'end') throw new Error('secret')
    }
    await session.say(voice(800))
    await session.say(silence(700))
    const { error } = await session.next('conversation.item.input_audio_transcription.failed')
    expect(error.message).not.toContain('secret')
    expect(session.failures).toHaveLength(1)
    session.recogniser.onWork = () => {}
    expect(await takeTurn(session)).toMatchObject({ response: { status: 'completed' } })
  })
})

it('a recogniser that is installed during the session takes the audio that follows', async () => {
  const recogniser = createFakeRecogniser()
  let isInstalled = false
  const session = await openSession({
    findRecogniser() {
      if (!isInstalled) throw new ServiceError('UNIMPLEMENTED', 'No recogniser is installed')
      return { recogniser, model: recogniser.models[0]! }
    },
  })
  await expect(session.say(voice(100))).rejects.toThrow('No recogniser is installed')
  // The client knows it already.
  await session.say(voice(300))
  isInstalled = true
  expect(await takeTurn(session)).toMatchObject({ response: { status: 'completed' } })
})

describe('a user who says nothing after a response', () => {
  /** A session after a response of one word. */
  async function openIdle() {
    const session = await openSession({
      isTimeFree: false,
      respond: () => toStream(saying('Hello.')),
    })
    const turn_detection = { type: 'server_vad', idle_timeout_ms: 5000 } as const
    await session.send({
      type: 'session.update',
      session: { audio: { input: { turn_detection } } },
    })
    await session.send(text('Hi'), create)
    await session.next('response.done')
    return session
  }
  /** The user is silent until there is such an event. */
  async function listenUntil(session: TestSession, type: RealtimeServerEvent['type']) {
    while (!typesOf(session.events).includes(type)) {
      session.pass(100)
      await session.say(silence(100))
      await wait()
    }
  }

  it('gets another response after the idle timeout, and the silence becomes a turn', async () => {
    const session = await openIdle()
    await listenUntil(session, 'input_audio_buffer.timeout_triggered')
    const triggered = await session.next('input_audio_buffer.timeout_triggered')
    expect(triggered.audio_end_ms - triggered.audio_start_ms).toBeGreaterThanOrEqual(4800)
    const committed = await session.next('input_audio_buffer.committed')
    expect(committed.item_id).toBe(triggered.item_id)
    await session.next('response.done')
    expect(session.requests[1]!.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: '…' },
    ])
    for (const event of session.events) realtimeServerEventSchema.parse(event)
  })

  it('gets another response although the service rejects one meanwhile', async () => {
    const session = await openIdle()
    const input = [{ type: 'item_reference', id: 'nothing' }]
    const rejected = session.send({ type: 'response.create', response: { input } })
    await expect(rejected).rejects.toThrow('nothing')
    await listenUntil(session, 'input_audio_buffer.timeout_triggered')
  })

  it('gets no other response while speaking', async () => {
    const session = await openIdle()
    await session.say(voice(400))
    await session.next('input_audio_buffer.speech_started')
    session.pass(60_000)
    await session.say(silence(700))
    await session.next('response.created')
    expect(typesOf(session.events)).not.toContain('input_audio_buffer.timeout_triggered')
  })

  it('gets no other response after the end of the session', async () => {
    const session = await openIdle()
    await session.session.close()
    session.pass(60_000)
    await wait()
    expect(typesOf(session.events).at(-1)).toBe('response.done')
  })
})

describe('a turn that the client ends', () => {
  it('becomes an item, without a response until the client wants one', async () => {
    const session = await openSession()
    await session.send(manual)
    session.recogniser.utterance = { text: 'hello' }
    await session.say(silence(500))
    await session.send(commit, create)
    await session.next('response.done')
    expect(typesOf(session.events).slice(2, 6)).toEqual([
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
    ])
    expect(session.requests[0]!.messages).toEqual([{ role: 'user', content: 'hello' }])
  })

  it('is one item even if the recogniser needs several utterances', async () => {
    const session = await openSession()
    await session.send(manual)
    await session.say(silence(31_000))
    await session.send(commit, create)
    await session.next('response.done')
    expect(session.requests[0]!.messages).toEqual([
      { role: 'user', content: expect.stringMatching(/^30\d+ ms [\d.]+ ms$/) },
    ])
  })

  it('is dropped when the client clears the buffer, which is then empty', async () => {
    const session = await openSession()
    await session.send(manual)
    await session.say(silence(500))
    await session.send({ type: 'input_audio_buffer.clear' })
    await expect(session.send(commit)).rejects.toMatchObject({
      sessionCode: 'input_audio_buffer_commit_empty',
    })
    expect(session.recogniser.running).toBe(0)
  })

  it.each([
    ['audio/pcmu', 0xff],
    ['audio/pcma', 0xd5],
  ] as const)('can be %s', async (type, zero) => {
    const session = await openSession()
    const { session: settings } = manual
    const input = { ...settings.audio.input, format: { type } }
    await session.send({ type: 'session.update', session: { audio: { input } } })
    const audio = Buffer.alloc(8000, zero).toString('base64')
    await session.send({ type: 'input_audio_buffer.append', audio }, commit, create)
    await session.next('response.done')
    expect(session.requests[0]!.messages).toMatchObject([
      { content: expect.stringMatching(/^16[56]\d/) },
    ])
  })
})

it('a client that sends a long turn faster than the recogniser takes it has to wait', async () => {
  const session = await openSession()
  await session.send(manual)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  session.recogniser.onWork = (work) => (work === 'end' ? released : undefined)
  const minutes = new Int16Array(24_000 * 60 * 5)
  const sending = session.say(minutes)
  await expect.poll(() => session.recogniser.requests.length).toBeGreaterThan(3)
  for (let turn = 0; turn < 1000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(session.recogniser.requests.length).toBeLessThan(6)
  release()
  await sending
  await session.send(commit)
  expect(session.recogniser.requests.length).toBe(10)
})
