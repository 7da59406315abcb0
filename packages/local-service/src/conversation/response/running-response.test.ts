import { setTimeout as wait } from 'node:timers/promises'
import { create, text, typesOf } from '@parlando/test-support/local-service/clients/realtime-events'
import {
  openSession,
  saying,
  toStream,
} from '@parlando/test-support/local-service/clients/realtime-session'
import { describe, expect, it } from 'vitest'

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

  it('says words as the client wishes, and keeps them in the transcript', async () => {
    const spoken: string[] = []
    const session = await openSession({
      createSpeak: () =>
        async function* (sentence) {
          spoken.push(sentence)
          yield { audio: Buffer.alloc(48_000), durationSeconds: 1, words: [] }
        },
      respond: () => toStream(saying('Nguyen called.')),
    })
    const pronunciations = [{ word: 'Nguyen', sayAs: 'win' }]
    await session.send(
      { type: 'session.update', session: { providerData: { pronunciations } } },
      { type: 'session.update', session: { instructions: 'Be brief.' } },
      text('Who?'),
      create,
    )
    const { response } = await session.next('response.done')
    expect(spoken).toEqual(['win called.'])
    expect(response.output).toMatchObject([{ content: [{ transcript: 'Nguyen called.' }] }])
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

  it('is not cut within a character', async () => {
    const session = await openSession({ respond: () => toStream(saying('x', '😀'.repeat(20_000))) })
    await session.send(text('Hi'), { ...create, response: { output_modalities: ['text'] } })
    const { response } = await session.next('response.done')
    expect(response.output).toMatchObject([{ content: [{ text: `x${'😀'.repeat(9_999)}` }] }])
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

  it('of a model that breaks off has failed, after what it said', async () => {
    const session = await openSession({
      async *respond() {
        yield { type: 'text', text: 'It is nine. And ' }
      },
    })
    await session.send(text('Hi'), create)
    const { response } = await session.next('response.done')
    expect(response).toMatchObject({
      status: 'failed',
      status_details: { type: 'failed', error: { code: 'unavailable' } },
      output: [{ content: [{ transcript: 'It is nine.' }] }],
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

  it('that is cancelled closes the sentence that it has started ahead', async () => {
    const open = new Set<string>()
    async function* speak(sentence: string) {
      open.add(sentence)
      try {
        for (;;) yield { audio: Buffer.alloc(48_000), durationSeconds: 1, words: [] }
      } finally {
        open.delete(sentence)
      }
    }
    const session = await openSession({
      isTimeFree: false,
      createSpeak: () => speak,
      respond: () => toStream(saying('One two three four five six seven. ', 'Eight nine ten.')),
    })
    await session.send(text('Count'), create)
    await session.next('response.output_audio.delta')
    await expect.poll(() => open.size).toBe(2)
    await session.send({ type: 'response.cancel' })
    await session.session.close()
    expect(open).toEqual(new Set())
  })

  it('ends its work before the session ends, also if another one has followed', async () => {
    const ended: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    async function* speak(sentence: string) {
      try {
        for (;;) yield { audio: Buffer.alloc(48_000), durationSeconds: 1, words: [] }
      } finally {
        if (sentence === 'One.') await released
        ended.push(sentence)
      }
    }
    const sentences = ['One.', 'Two.']
    const session = await openSession({
      isTimeFree: false,
      createSpeak: () => speak,
      respond: () => toStream(saying(sentences.shift()!)),
    })
    await session.send(text('Count'), create)
    await session.next('response.output_audio.delta')
    await session.send({ type: 'response.cancel' }, create)
    await session.next('response.output_audio.delta')
    const closing = session.session.close().then(() => ended.push('session'))
    await expect.poll(() => ended).toContain('Two.')
    for (let turn = 0; turn < 20; turn++) await wait()
    release()
    await closing
    expect(ended).toEqual(['Two.', 'One.', 'session'])
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
