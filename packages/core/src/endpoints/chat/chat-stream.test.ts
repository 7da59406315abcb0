import {
  chatEvent,
  chatRequest,
  completeDeltas,
  completeResponse,
  dataEvent,
  doneEvent,
} from '@parlando/test-support/servers/chat-events'
import {
  collectDeltas,
  startChatStreamServer,
} from '@parlando/test-support/servers/chat-stream-server'
import { describe, expect, it } from 'vitest'

describe('chatStream', () => {
  it('returns the deltas and accumulates them', async () => {
    const { server, stream } = await startChatStreamServer(completeResponse)
    const response = stream()
    expect(await collectDeltas(response)).toEqual(completeDeltas)
    expect(response).toMatchObject({
      content: 'Ja, es gießt 🌧.',
      reasoning: 'A look outside.',
      toolCalls: [],
      message: { role: 'assistant', content: 'Ja, es gießt 🌧.' },
      finishReason: 'stop',
      usage: { promptTokens: 5, completionTokens: 7, totalTokens: 12 },
      model: 'small-2',
      requestId: server.requests[0]?.headers['x-request-id'],
    })
  })

  it('always requests a stream with usage', async () => {
    const { server, stream } = await startChatStreamServer(completeResponse)
    await collectDeltas(
      stream(undefined, { stream: false, stream_options: { include_usage: false } }),
    )
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/v1/chat/completions',
        body: { ...chatRequest, stream: true, stream_options: { include_usage: true } },
      },
    ])
  })

  const message = { role: 'assistant', content: 'Ja, es gießt 🌧.' }
  const unstreamed = { model: 'small-2', choices: [{ index: 0, message, finish_reason: 'stop' }] }

  it('returns a response that is not streamed as one delta', async () => {
    const { stream } = await startChatStreamServer(JSON.stringify(unstreamed))
    const response = stream()
    expect(await collectDeltas(response)).toEqual([{ content: message.content }])
    expect(response).toMatchObject({ message, finishReason: 'stop', model: 'small-2' })
  })

  it('ignores a whole message that repeats the deltas at the end', async () => {
    const { stream } = await startChatStreamServer(
      completeResponse.replace(doneEvent, dataEvent(unstreamed) + doneEvent),
    )
    expect(await collectDeltas(stream())).toEqual(completeDeltas)
  })

  it('sends no request until it is read, and only one', async () => {
    const { server, stream } = await startChatStreamServer(completeResponse)
    const response = stream()
    // Long enough for a request to arrive.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.requests).toHaveLength(0)
    await collectDeltas(response)
    expect(() => response[Symbol.asyncIterator]()).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
    expect(server.requests).toHaveLength(1)
  })

  it('rejects a bad request at once', async () => {
    const { stream } = await startChatStreamServer(completeResponse)
    expect(() => stream(undefined, { temperature: 9 })).toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
  })

  it('returns the same deltas wherever the network cuts the response in two', async () => {
    const body = Buffer.from(completeResponse)
    let cut = 0
    const { stream } = await startChatStreamServer(async (response) => {
      response.write(body.subarray(0, cut))
      await new Promise((resolve) => setImmediate(resolve))
      response.end(body.subarray(cut))
    })
    for (cut = 1; cut < body.length; cut += 3)
      expect(await collectDeltas(stream())).toEqual(completeDeltas)
  })

  it('assembles tool calls from parts in any order', async () => {
    const bit = (index: number | undefined, id?: string, name?: string, text?: string) =>
      chatEvent({ tool_calls: [{ index, id, function: { name, arguments: text } }] })
    const { stream } = await startChatStreamServer(
      [
        bit(0, 'a', 'rain', ''),
        bit(1, 'b', 'wind', '{"in"'),
        bit(0, undefined, undefined, '{}'),
        bit(1, undefined, undefined, ':"Ulm"}'),
        chatEvent({}, { finish_reason: 'tool_calls' }),
        doneEvent,
      ].join(''),
    )
    const response = stream()
    expect((await collectDeltas(response))[1]).toEqual({
      toolCalls: [{ index: 1, id: 'b', name: 'wind', arguments: '{"in"' }],
    })
    expect(response.toolCalls).toEqual([
      { id: 'a', name: 'rain', arguments: '{}' },
      { id: 'b', name: 'wind', arguments: '{"in":"Ulm"}' },
    ])
    expect(response.finishReason).toBe('tool_calls')
  })

  it.each<[string, { id?: string; name?: string }[]]>([
    ['ids', [{ id: 'a', name: 'rain' }, {}, { id: 'b', name: 'wind' }]],
    ['ids in every part', [{ id: 'a', name: 'rain' }, { id: 'a' }, { id: 'b', name: 'wind' }]],
    ['names', [{ name: 'rain' }, {}, { name: 'wind' }]],
  ])('distinguishes tool calls by their %s if the service sends no index', async (_, starts) => {
    const texts = ['{', '}', '{}']
    const events = starts.map(({ id, name }, place) =>
      chatEvent({ tool_calls: [{ id, function: { name, arguments: texts[place] } }] }),
    )
    const { stream } = await startChatStreamServer([...events, doneEvent].join(''))
    const response = stream()
    await collectDeltas(response)
    expect(response.toolCalls).toEqual([
      { id: starts[0]?.id ?? '', name: 'rain', arguments: '{}' },
      { id: starts[2]?.id ?? '', name: 'wind', arguments: '{}' },
    ])
  })

  it.each<[string, { id?: string; name?: string }[]]>([
    ['ids', [{ id: 'a', name: 'rain' }, { id: 'b', name: 'rain' }, {}]],
    ['names', [{ name: 'rain' }, { name: 'wind' }, {}]],
  ])('distinguishes tool calls by their %s if each has the index 0', async (_, starts) => {
    const texts = ['{}', '{"in"', ':"Ulm"}']
    const events = starts.map(({ id, name }, place) =>
      chatEvent({ tool_calls: [{ index: 0, id, function: { name, arguments: texts[place] } }] }),
    )
    const { stream } = await startChatStreamServer([...events, doneEvent].join(''))
    const response = stream()
    const deltas = await collectDeltas(response)
    const indexes = deltas.flatMap(({ toolCalls = [] }) => toolCalls.map(({ index }) => index))
    expect(indexes).toEqual([0, 1, 1])
    expect(response.toolCalls).toMatchObject([
      { ...starts[0], arguments: '{}' },
      { ...starts[1], arguments: '{"in":"Ulm"}' },
    ])
  })

  it('assembles a tool call of which each part has another id', async () => {
    const events = [{ name: 'rain', arguments: '{' }, { arguments: '}' }].map((part, place) =>
      chatEvent({ tool_calls: [{ index: 0, id: `part-${place}`, function: part }] }),
    )
    const { stream } = await startChatStreamServer([...events, doneEvent].join(''))
    const response = stream()
    await collectDeltas(response)
    expect(response.toolCalls).toEqual([{ id: 'part-0', name: 'rain', arguments: '{}' }])
  })

  it('assembles a tool call of which each part has the name and another id', async () => {
    const texts = ['', '{"ci', 'ty":', '"Par', 'is"}', '']
    const events = texts.map((text, place) =>
      chatEvent({
        tool_calls: [
          { index: 0, id: `part-${place}`, function: { name: 'rain', arguments: text } },
        ],
      }),
    )
    const { stream } = await startChatStreamServer([...events, doneEvent].join(''))
    const response = stream()
    await collectDeltas(response)
    expect(response.toolCalls).toEqual([
      { id: 'part-0', name: 'rain', arguments: '{"city":"Paris"}' },
    ])
  })

  it('returns the speech with its transcript', async () => {
    const { stream } = await startChatStreamServer(
      chatEvent({ audio: { data: 'AAEC', transcript: 'No' } }) + doneEvent,
    )
    expect(await collectDeltas(stream())).toEqual([
      { audio: { audio: Buffer.of(0, 1, 2), transcript: 'No' } },
    ])
  })
})
