import { chatEvent, doneEvent, stopEvent } from '@parlando/test-support/servers/chat-events'
import { expect, it } from 'vitest'
import type { ModelOutput } from '../language-model.ts'
import { createUpstreamModel } from './upstream-language-model.ts'

/** What a language model says whose server sends these pieces. */
async function read(
  pieces: Iterable<string> | ReadableStream,
  toolChoice: 'auto' | 'none' = 'auto',
): Promise<ModelOutput[]> {
  const upstream = {
    listModels: async () => [],
    forward: async () => new Response(pieces instanceof ReadableStream ? pieces : toStream(pieces)),
  }
  const model = createUpstreamModel(upstream, 'any')
  const request = {
    messages: [],
    tools: [],
    toolChoice,
    maxTokens: 'inf',
    temperature: null,
    signal: new AbortController().signal,
  } as const
  const outputs: ModelOutput[] = []
  for await (const output of model.respond(request)) outputs.push(output)
  return outputs
}

function toStream(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
  })
}

function* cut(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length)
}

const end = { type: 'end', usage: { input: 0, output: 0 } }

it.each([1, 2, 7, 1000])(
  'a language model can send its events in pieces of %d characters',
  async (length) => {
    const events = ['Hello', ' there'].map((content) => chatEvent({ content })).join('') + doneEvent
    const expected = [{ type: 'text', text: 'Hello' }, { type: 'text', text: ' there' }, end]
    expect(await read(cut(events, length))).toEqual(expected)
    expect(await read(cut(events.replaceAll('\n', '\r\n'), length))).toEqual(expected)
  },
)

it('a long event in short pieces takes time in proportion to its length', async () => {
  const content = 'x'.repeat(1_000_000)
  const outputs = await read(cut(chatEvent({ content }) + stopEvent, 4))
  expect(outputs).toEqual([{ type: 'text', text: content }, end])
})

it('an event that never ends is an error', async () => {
  const endless = cut(`data: ${'x'.repeat(2_000_000)}`, 10_000)
  await expect(read(endless)).rejects.toThrow('an event that is too long')
})

it('a response is complete with a finish reason or [DONE]', async () => {
  const text = chatEvent({ content: 'No' })
  const expected = [{ type: 'text', text: 'No' }, end]
  for (const ending of [stopEvent, doneEvent]) expect(await read([text, ending])).toEqual(expected)
  await expect(read([text])).rejects.toThrow('ended before it was complete')
})

it('a server need not end its response after [DONE]', async () => {
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(Buffer.from(chatEvent({ content: 'No' }) + doneEvent)),
  })
  expect(await read(endless)).toEqual([{ type: 'text', text: 'No' }, end])
})

it('a model that may call no tool calls none, whatever its server makes of the choice', async () => {
  const call = { index: 0, id: 'c1', function: { name: 'light', arguments: '{}' } }
  const events = [chatEvent({ content: 'Well.', tool_calls: [call] }), stopEvent]
  const said = { type: 'text', text: 'Well.' }
  const called = { type: 'toolCall', callId: 'c1', name: 'light', arguments: '{}' }
  expect(await read(events)).toEqual([said, called, end])
  expect(await read(events, 'none')).toEqual([said, end])
})

/** The events of tool calls that arrive in these parts, until the model ends for this reason. */
const calling = (reason: string, ...parts: object[]) => [
  ...parts.map((part) => chatEvent({ tool_calls: [part] })),
  chatEvent({}, { finish_reason: reason }),
]
const calledTools = (outputs: ModelOutput[]) =>
  outputs.flatMap((output) =>
    output.type === 'toolCall' ? [`${output.name} ${output.arguments}`] : [],
  )

it.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
])(
  'a model that is stopped within a call calls no tool, and says why: %s',
  async (reason, incompleteReason) => {
    const whole = { index: 0, id: 'c1', function: { name: 'light', arguments: '{}' } }
    const cut = { index: 1, id: 'c2', function: { name: 'door', arguments: '{"room":"kit' } }
    const outputs = await read(calling(reason, whole, cut))
    expect(outputs).toEqual([{ ...end, incompleteReason }])
  },
)

it.each<[string, { id?: string; name?: string }[]]>([
  ['ids', [{ id: 'a', name: 'light' }, {}, { id: 'b', name: 'door' }, {}]],
  ['ids in every part', [{ id: 'a', name: 'light' }, { id: 'a' }, { id: 'b', name: 'door' }, {}]],
  ['names', [{ name: 'light' }, {}, { name: 'door' }, {}]],
])('tool calls without an index are told apart by %s', async (_, starts) => {
  const texts = ['{"room":', '"kitchen"}', '{"open"', ':true}']
  const parts = starts.map(({ id, name }, place) => ({
    id,
    function: { name, arguments: texts[place] },
  }))
  const outputs = await read(calling('tool_calls', ...parts))
  expect(calledTools(outputs)).toEqual(['light {"room":"kitchen"}', 'door {"open":true}'])
})

it('tool calls that all have the index 0 are told apart', async () => {
  const parts = ['light', 'door'].map((name) => ({
    ...{ index: 0, id: name },
    function: { name, arguments: '{"on":true}' },
  }))
  const outputs = await read(calling('tool_calls', ...parts))
  expect(calledTools(outputs)).toEqual(['light {"on":true}', 'door {"on":true}'])
})

it('a tool call can have its id and its name in two parts, and any index', async () => {
  const parts = [
    { index: 1, id: 'a' },
    { index: 1, function: { name: 'light' } },
    { index: 1, function: { arguments: '{"on":true}' } },
  ]
  const withoutIndex = parts.map(({ index: _, ...part }) => part)
  for (const sent of [parts, withoutIndex]) {
    expect(calledTools(await read(calling('tool_calls', ...sent)))).toEqual(['light {"on":true}'])
  }
})
