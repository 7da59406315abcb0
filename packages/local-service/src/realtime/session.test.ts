import { setTimeout as wait } from 'node:timers/promises'
import { type RealtimeServerEvent, realtimeServerEventSchema } from '@parlando/core/wire'
import { voicedSound } from '@parlando/test-support/audio/voiced-sound'
import {
  openSession,
  saying,
  type TestSession,
  toStream,
} from '@parlando/test-support/local-service/realtime-session'
import { describe, expect, it } from 'vitest'

const silence = (ms: number) => new Int16Array(ms * 24)
const voice = (ms: number) => voicedSound({ seconds: ms / 1000, sampleRateHertz: 24_000 })
const manual = {
  type: 'session.update',
  session: { audio: { input: { turn_detection: null } } },
} as const
const transcribing = {
  type: 'session.update',
  session: { audio: { input: { transcription: {} } } },
} as const
const commit = { type: 'input_audio_buffer.commit' } as const
const create = { type: 'response.create' } as const
const text = (words: string) => ({
  type: 'conversation.item.create' as const,
  item: {
    type: 'message' as const,
    role: 'user' as const,
    content: [{ type: 'input_text' as const, text: words }],
  },
})

const typesOf = (events: readonly RealtimeServerEvent[]) => events.map(({ type }) => type)

/** Speaks one turn and waits for its response. */
async function takeTurn(session: TestSession) {
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(700))
  return session.next('response.done')
}

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
    const done = session.next('response.done')
    while (!typesOf(session.events).includes('response.done')) {
      session.pass(1000)
      await wait()
    }
    expect(await done).toMatchObject({ response: { status: 'completed' } })
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
    await expect(session.send({ ...truncate, audio_end_ms: 10_000 })).rejects.toMatchObject({
      sessionCode: 'invalid_value',
    })
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

describe('a response', () => {
  it('can be text', async () => {
    const session = await openSession()
    await session.send(text('Hi'), {
      ...create,
      response: { output_modalities: ['text'], metadata: { client_event_id: 'a' } },
    })
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({
      status: 'completed',
      metadata: { client_event_id: 'a' },
      output: [{ content: [{ type: 'output_text', text: 'It is nine. Good morning.' }] }],
      usage: { total_tokens: 5, input_token_details: {}, output_token_details: {} },
    })
    expect(typesOf(session.events)).not.toContain('response.output_audio.delta')
  })

  it('calls tools, and the conversation continues with their results', async () => {
    const call = { type: 'toolCall', callId: 'call_1', name: 'light', arguments: '{"on":true}' }
    const session = await openSession({
      respond: ({ messages }) =>
        toStream(
          messages.at(-1)?.role === 'tool'
            ? saying('Done.')
            : ([call, ...saying()] as Parameters<typeof toStream>[0]),
        ),
    })
    await session.send(text('Light'), create)
    const { response } = await session.next('response.done')
    expect(response.output).toMatchObject([{ type: 'function_call', status: 'completed' }])
    expect(typesOf(session.events).slice(-6)).toEqual([
      'conversation.item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
    ])
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'on' } as const
    await session.send({ type: 'conversation.item.create', item: output }, create)
    await session.next('response.done')
    expect(session.requests[1]!.messages).toEqual([
      { role: 'user', content: 'Light' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'light', arguments: '{"on":true}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'on' },
    ])
  })

  it('of a tool that never responds is left out of what the model reads', async () => {
    const call = {
      type: 'function_call',
      call_id: 'call_1',
      name: 'light',
      arguments: '{}',
    } as const
    const session = await openSession()
    await session.send({ type: 'conversation.item.create', item: call }, text('Hi'), create)
    await session.next('response.done')
    expect(session.requests[0]!.messages).toEqual([{ role: 'user', content: 'Hi' }])
  })

  it('can be outside of the conversation', async () => {
    const session = await openSession()
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A' }] }
    await session.send(text('Hi'), {
      ...create,
      response: { conversation: 'none', input: [item], output_modalities: ['text'] },
    })
    const { response } = await session.next('response.done')
    expect(session.requests[0]!.messages).toEqual([{ role: 'user', content: 'A' }])
    await expect(
      session.send({ type: 'conversation.item.retrieve', item_id: response.output![0]!.id }),
    ).rejects.toMatchObject({ sessionCode: 'item_retrieve_invalid_item_id' })
  })

  it('of a model that never ends is cut', async () => {
    const session = await openSession({
      async *respond() {
        for (;;) yield { type: 'text', text: 'on and on and on ' }
      },
    })
    await session.send(text('Hi'), { ...create, response: { output_modalities: ['text'] } })
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({
      status: 'incomplete',
      status_details: { reason: 'max_output_tokens' },
    })
  })

  it('of a model that says nothing more ends after a limit', async () => {
    const session = await openSession({
      modelLimitMs: 30,
      async *respond({ signal }) {
        yield { type: 'text', text: 'Well. ' }
        await wait(60_000, undefined, { signal })
      },
    })
    await session.send(text('Hi'), create)
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({
      status: 'failed',
      status_details: { error: { code: 'deadline_exceeded' } },
    })
  })

  it('that fails does not end the session', async () => {
    let isFirst = true
    const session = await openSession({
      async *respond() {
        if (isFirst) {
          isFirst = false
          throw new Error('secret')
        }
        yield* saying('Fine.')
      },
    })
    await session.send(text('Hi'), create)
    const { response } = await session.next('response.done')
    expect(response.status).toBe('failed')
    expect(JSON.stringify(response)).not.toContain('secret')
    await session.send(create)
    expect((await session.next('response.done')).response.status).toBe('completed')
  })

  it('is the only one at a time, and can be cancelled', async () => {
    const session = await openSession({ isTimeFree: false })
    const cancel = { type: 'response.cancel' } as const
    await expect(session.send(cancel)).rejects.toMatchObject({
      sessionCode: 'response_cancel_not_active',
      message: 'Cancellation failed: no active response found',
    })
    await session.send(text('Hi'), create)
    await expect(session.send(create)).rejects.toMatchObject({
      sessionCode: 'conversation_already_has_active_response',
    })
    await session.send(cancel)
    expect(await session.next('response.done')).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'client_cancelled' } },
    })
    await session.send(create)
  })
})

describe('the settings', () => {
  it('are complete in each event, and those without a meaning here stay null', async () => {
    const session = await openSession()
    await session.send({
      type: 'session.update',
      session: {
        tracing: 'auto',
        audio: {
          input: {
            noise_reduction: { type: 'near_field' },
            turn_detection: { type: 'semantic_vad' },
          },
          output: { voice: { id: 'Clara' } },
        },
      },
    })
    const { session: settings } = await session.next('session.updated')
    expect(settings).toMatchObject({
      type: 'realtime',
      tracing: null,
      output_modalities: ['audio'],
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          noise_reduction: null,
          turn_detection: {
            type: 'semantic_vad',
            eagerness: 'auto',
            create_response: true,
            interrupt_response: true,
          },
        },
        output: { voice: 'Clara' },
      },
    })
  })

  it('reject a sample rate that the format does not have', async () => {
    const session = await openSession()
    const format = { type: 'audio/pcm', rate: 16_000 } as const
    await expect(
      session.send({ type: 'session.update', session: { audio: { output: { format } } } }),
    ).rejects.toMatchObject({ sessionCode: 'invalid_value' })
  })
})

describe('the conversation', () => {
  it('adds, retrieves and deletes items, and rejects unknown ones', async () => {
    const session = await openSession()
    const item = { ...text('b').item, id: 'b' }
    await session.send({ type: 'conversation.item.create', item })
    const first = { ...text('b'), item: { ...item, id: 'a' } }
    await session.send({ ...first, previous_item_id: 'root' })
    await expect(session.send(first)).rejects.toMatchObject({ sessionCode: 'invalid_value' })
    await session.send({ type: 'conversation.item.delete', item_id: 'b' })
    for (const verb of ['retrieve', 'delete'] as const) {
      await expect(
        session.send({ type: `conversation.item.${verb}`, item_id: 'b' }),
      ).rejects.toMatchObject({ sessionCode: `item_${verb}_invalid_item_id` })
    }
    await expect(
      session.send({
        type: 'conversation.item.truncate',
        item_id: 'a',
        content_index: 0,
        audio_end_ms: 0,
      }),
    ).rejects.toMatchObject({ sessionCode: 'item_truncate_invalid_item_id' })
  })

  it('forgets the oldest items above its limit', async () => {
    const session = await openSession()
    for (let index = 0; index < 501; index++) {
      const item = { ...text('x').item, id: `item ${index}` }
      await session.send({ type: 'conversation.item.create', item })
    }
    const retrieve = { type: 'conversation.item.retrieve', item_id: 'item 0' } as const
    await expect(session.send(retrieve)).rejects.toThrow('Unknown item')
    await session.send({ ...retrieve, item_id: 'item 1' })
  })
})
