import { setTimeout as wait } from 'node:timers/promises'
import type { RealtimeServerEvent } from '@parlando/core/wire'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import {
  openSession,
  saying,
  type TestSession,
} from '@parlando/test-support/local-service/clients/realtime-session'
import { expectOneTranscript } from '@parlando/test-support/local-service/one-transcript'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../packages/local-service/src/chat/language-model.ts'

// Clients check events against schemas of their own. Pipecat and the Python version of LiveKit Agents cannot run here; these
// rules are theirs, and those of the clients in realtime-clients.nightly.test.ts.

const toolCall = { type: 'toolCall', callId: 'call_1', name: 'light', arguments: '{}' } as const

/** Calls a tool, repeats its result, counts until it is interrupted, and then says goodbye. */
async function* respond({ messages, signal }: ModelRequest) {
  const last = messages.at(-1)
  if (last?.role === 'tool') yield* saying('It is on.')
  else if (last?.content === 'light') {
    yield toolCall
    yield* saying()
  } else if (last?.content === 'count') {
    yield { type: 'text' as const, text: 'One two three. Four five six. ' }
    await wait(60_000, undefined, { signal })
  } else yield* saying('Bye.')
}

/** Five turns: a tool in speech, its result, a long response, its interruption, a farewell in text. */
async function hold(): Promise<RealtimeServerEvent[]> {
  const session = await openSession({ respond })
  const say = (text: string) =>
    session.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
  const input = { transcription: {}, turn_detection: { type: 'semantic_vad' as const } }
  const tools = [{ type: 'function' as const, name: 'light' }]
  await session.send({ type: 'session.update', session: { audio: { input }, tools } })
  await speak(session, 'light')
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'on' } as const
  await session.send(
    { type: 'conversation.item.create', item: output },
    { type: 'response.create', response: { metadata: { client_event_id: 'mine' } } },
  )
  await session.next('response.done')
  await say('count')
  await session.send({ type: 'response.create' })
  const { item_id } = await session.next('response.output_audio.delta')
  const place = { item_id, content_index: 0, audio_end_ms: 200 }
  await session.send({ type: 'conversation.item.truncate', ...place })
  await session.send({ type: 'conversation.item.retrieve', item_id })
  await say('bye')
  await session.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  await session.next('response.output_text.done')
  await session.next('response.done')
  return session.events
}

let conversation: Promise<RealtimeServerEvent[]> | undefined
/** The events of the conversation, which all tests share. */
function converse(): Promise<RealtimeServerEvent[]> {
  conversation ??= hold()
  return conversation
}

async function speak(session: TestSession, text: string): Promise<void> {
  session.recogniser.utterance = { text }
  await session.say(new Int16Array(7200))
  await session.say(voicedSound({ seconds: 0.8, sampleRateHertz: 24_000 }))
  await session.say(new Int16Array(16_800))
  await session.next('response.done')
}

type EventOf<Type extends RealtimeServerEvent['type']> = Extract<
  RealtimeServerEvent,
  { type: Type }
>

function ofType<Type extends RealtimeServerEvent['type']>(
  events: readonly RealtimeServerEvent[],
  ...types: Type[]
): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => types.includes(event.type as Type))
}

/** Pipecat ends at an event that is not in this list. */
const knownTypes = [
  'error',
  'session.created',
  'session.updated',
  ...['committed', 'cleared', 'speech_started', 'speech_stopped', 'timeout_triggered'].map(
    (name) => `input_audio_buffer.${name}`,
  ),
  ...['added', 'done', 'retrieved', 'truncated', 'deleted'].map(
    (name) => `conversation.item.${name}`,
  ),
  ...['delta', 'completed', 'failed'].map(
    (name) => `conversation.item.input_audio_transcription.${name}`,
  ),
  'response.created',
  'response.done',
  ...['output_item', 'content_part'].flatMap((part) => [
    `response.${part}.added`,
    `response.${part}.done`,
  ]),
  ...['output_text', 'output_audio', 'output_audio_transcript', 'function_call_arguments'].flatMap(
    (part) => [`response.${part}.delta`, `response.${part}.done`],
  ),
]

describe('the events of a conversation', () => {
  it('have types that every client knows', async () => {
    const types = (await converse()).map(({ type }) => type)
    expect(knownTypes).toEqual(expect.arrayContaining(types))
    // Pipecat ends at an error.
    expect(types).not.toContain('error')
    // The conversation has every kind of response.
    for (const type of ['response.output_text.delta', 'response.function_call_arguments.done']) {
      expect(types).toContain(type)
    }
  })

  it('place each part of a response, and announce it before', async () => {
    const events = await converse()
    const opened = new Set<string>()
    for (const event of events) {
      const { type, response_id: responseId, item_id: itemId } = event as Record<string, unknown>
      if (event.type === 'response.created') {
        expect(event.response).toMatchObject({ id: expect.any(String), status: 'in_progress' })
        opened.add(event.response.id)
      } else if (event.type === 'response.output_item.added') {
        expect(opened).toContain(responseId)
        opened.add(event.item.id)
      } else if (event.type === 'response.content_part.added') {
        expect(opened).toContain(itemId)
        expect(event.part.type).toMatch(/^(text|audio)$/)
        opened.add(`content of ${itemId}`)
      } else if (/^response\.output_(text|audio|audio_transcript)\./.test(String(type))) {
        expect(opened).toContain(responseId)
        expect(opened).toContain(`content of ${itemId}`)
        expect(event).toMatchObject({ output_index: expect.any(Number), content_index: 0 })
      } else if (/^response\.function_call_arguments\./.test(String(type))) {
        expect(opened).toContain(responseId)
        expect(opened).toContain(itemId)
        expect(event).toMatchObject({ output_index: expect.any(Number), call_id: 'call_1' })
      } else if (event.type === 'response.output_item.done') {
        expect(opened).toContain(responseId)
        expect(event).toMatchObject({ output_index: expect.any(Number) })
        expect(event.item.status).toMatch(/^(completed|incomplete)$/)
        expect(opened.delete(event.item.id)).toBe(true)
      } else if (event.type === 'response.done') {
        // Its items ended before.
        for (const { id } of event.response.output ?? []) expect(opened).not.toContain(id)
        expect(opened.delete(event.response.id)).toBe(true)
      }
    }
    expect([...opened].filter((id) => !id.startsWith('content'))).toEqual([])
  })

  it('name the item before each new one, and add it once, before its end', async () => {
    const events = await converse()
    const added = ofType(events, 'conversation.item.added')
    expect(added.map(({ previous_item_id: id }) => id)).toEqual([
      null,
      ...added.slice(0, -1).map(({ item }) => item.id),
    ])
    for (const done of ofType(events, 'conversation.item.done', 'response.output_item.done')) {
      const known = added.filter((event) => events.indexOf(event) < events.indexOf(done))
      expect(known.map(({ item }) => item.id)).toContain(done.item.id)
    }
    for (const { item } of added) {
      expect(item).toMatchObject({ object: 'realtime.item', status: expect.any(String) })
    }
  })

  it('name the item and the times of what the user says', async () => {
    const events = await converse()
    const [started] = ofType(events, 'input_audio_buffer.speech_started')
    const [stopped] = ofType(events, 'input_audio_buffer.speech_stopped')
    const [committed] = ofType(events, 'input_audio_buffer.committed')
    const { item_id } = started!
    expect(started).toMatchObject({ audio_start_ms: expect.any(Number) })
    expect(stopped).toMatchObject({ item_id, audio_end_ms: expect.any(Number) })
    expect(committed).toMatchObject({ item_id, previous_item_id: null })
    expect(stopped!.audio_end_ms).toBeGreaterThan(started!.audio_start_ms)
  })

  it('have items with contents that every client reads', async () => {
    const items = ofType(
      await converse(),
      'conversation.item.added',
      'conversation.item.done',
      'conversation.item.retrieved',
      'response.output_item.done',
    ).map(({ item }) => item)
    const parts = items.flatMap(({ role, content }) =>
      (content ?? []).map((part) => ({ role, ...part })),
    )
    expect(parts.length).toBeGreaterThan(10)
    for (const part of parts) {
      if (part.role === 'assistant') expect(part.type).toMatch(/^output_(text|audio)$/)
      else expect(part.type).toMatch(/^input_(text|audio)$/)
      expect(part).toHaveProperty(part.type.endsWith('text') ? 'text' : 'transcript')
    }
  })

  it('state one transcript for each item', async () => {
    // Three messages of the user and three of the model, one of which was interrupted.
    expect(expectOneTranscript(await converse())).toBe(6)
  })

  it('report usage in numbers, with details', async () => {
    const responses = ofType(await converse(), 'response.done')
    expect(responses).toHaveLength(4)
    for (const { response } of responses) {
      expect(response.usage).toEqual({
        total_tokens: expect.any(Number),
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        input_token_details: expect.objectContaining({ text_tokens: expect.any(Number) }),
        output_token_details: expect.objectContaining({ text_tokens: expect.any(Number) }),
      })
      expect(['object', 'undefined']).toContain(typeof response.status_details)
    }
  })

  it('have tool calls with an id, a name and arguments in JSON', async () => {
    const events = await converse()
    const expected = { call_id: 'call_1', name: 'light', arguments: '{}' }
    const [done] = ofType(events, 'response.function_call_arguments.done')
    expect(done).toMatchObject(expected)
    const [item] = ofType(events, 'response.output_item.done')
    expect(item?.item).toMatchObject({ type: 'function_call', status: 'completed', ...expected })
  })

  it('return the metadata of the request', async () => {
    const events = await converse()
    for (const type of ['response.created', 'response.done'] as const) {
      const metadata = ofType(events, type).map(({ response }) => response.metadata)
      expect(metadata).toEqual([null, { client_event_id: 'mine' }, null, null])
    }
  })

  it('have the transcript of an item that was added before', async () => {
    const events = await converse()
    const [completed] = ofType(events, 'conversation.item.input_audio_transcription.completed')
    expect(completed).toMatchObject({ content_index: 0, usage: { type: 'duration' } })
    const before = ofType(events.slice(0, events.indexOf(completed!)), 'conversation.item.added')
    expect(before.map(({ item }) => item.id)).toContain(completed!.item_id)
  })

  it('have complete settings', async () => {
    const sessions = ofType(await converse(), 'session.created', 'session.updated')
    const detections = sessions.map(
      ({ session }) => Object(session)['audio'].input.turn_detection as object,
    )
    for (const detection of detections) {
      expect(detection).toMatchObject({ create_response: true, interrupt_response: true })
    }
    expect(detections[1]).toMatchObject({ type: 'semantic_vad', eagerness: 'auto' })
    // Pipecat plays no other rate.
    for (const { session } of sessions) {
      expect(session).toMatchObject({ audio: { output: { format: { rate: 24_000 } } } })
    }
  })

  it('keep the part of an interrupted message that was heard', async () => {
    const events = await converse()
    const [truncated] = ofType(events, 'conversation.item.truncated')
    expect(truncated).toMatchObject({ content_index: 0, audio_end_ms: 200 })
    const [retrieved] = ofType(events, 'conversation.item.retrieved')
    const heard = retrieved!.item.content![0]!.transcript!
    expect('One two three.'.startsWith(heard)).toBe(true)
    expect(heard.length).toBeLessThan('One two three.'.length)
  })
})
