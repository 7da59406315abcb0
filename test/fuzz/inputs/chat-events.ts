import fc from 'fast-check'
import { type Bytes, cuts, damaged } from './bytes.ts'
import { mutated } from './json.ts'

export interface ChatResponse {
  /** The events of the undamaged stream, each with its final blank line. */
  events: Bytes[]
  /** The text of each event. */
  contents: string[]
  bytes: Bytes
  cuts: number[]
}

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const toolCalls = [{ index: 0, id: 'call-1', function: { name: 'look', arguments: '{"at":' } }]
const audio = { id: 'a', data: 'AAEC', transcript: 'Hi' }
const otherDeltas = [
  { role: 'assistant', content: null },
  { reasoning_content: 'Outside.' },
  { tool_calls: toolCalls },
  { audio },
]

const goodChunk = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((content) => ({ content, json: chunkOf({ content }) })),
  fc.constantFrom(...otherDeltas).map((delta) => ({ content: '', json: chunkOf(delta) })),
  fc.constant({ content: '', json: { model: 'small-2', choices: [], usage } as object }),
)

const strangeEvent = goodChunk.chain(({ json }) => mutated(json)).map(toEvent)

const end = fc.constantFrom(
  [toEvent({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }), 'data: [DONE]\n\n'],
  ['data: [DONE]\n\n'],
  [],
)

/** A streamed chat response with random damage and malformed events between the valid ones. */
export const chatResponse: fc.Arbitrary<ChatResponse> = fc
  .tuple(
    fc.array(goodChunk, { minLength: 1, maxLength: 5 }),
    fc.array(strangeEvent, { maxLength: 2 }),
    end,
  )
  .chain(([good, strange, last]) => {
    const events = good.map(({ json }) => toEvent(json))
    return fc.record({
      events: fc.constant(events),
      contents: fc.constant(good.map(({ content }) => content)),
      bytes: damaged([...events, ...strange, ...last].join('')),
      cuts,
    })
  })

function chunkOf(delta: object): object {
  return { id: 'c', model: 'small-2', choices: [{ index: 0, delta }] }
}

function toEvent(json: unknown): Bytes {
  return Buffer.from(`data: ${JSON.stringify(json)}\n\n`).toString('latin1')
}
