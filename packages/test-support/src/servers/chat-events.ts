import type { ChatRequest } from '../../../core/src/wire/chat-completion.ts'

export const chatRequest: ChatRequest = {
  model: 'svc/models/small',
  messages: [{ role: 'user', content: 'Is it raining?' }],
}

/** A server-sent event with this delta. */
export function chatEvent(delta: object, more: object = {}): string {
  return dataEvent({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
}

/** A server-sent event with this JSON value. */
export function dataEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export const stopEvent = chatEvent({}, { finish_reason: 'stop' })
export const doneEvent = 'data: [DONE]\n\n'

/** The final events of a streamed response: the reason why it ended, the model and the usage, and the end marker. */
export const chatEnd = [
  stopEvent,
  dataEvent({
    model: 'test/model',
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  }),
  doneEvent,
].join('')

/** A streamed response with every possible field. */
export const completeResponse = [
  dataEvent({ model: 'small-2', choices: [{ delta: { role: 'assistant', content: null } }] }),
  chatEvent({ reasoning_content: 'A look ' }),
  chatEvent({ reasoning: 'outside.' }),
  ': keep-alive\n\n',
  chatEvent({ content: '' }),
  chatEvent({ content: 'Ja, es ' }),
  chatEvent({ content: 'gießt 🌧.' }),
  stopEvent,
  dataEvent({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
  doneEvent,
].join('')

/** The deltas of `completeResponse`. */
export const completeDeltas = [
  { reasoning: 'A look ' },
  { reasoning: 'outside.' },
  { content: 'Ja, es ' },
  { content: 'gießt 🌧.' },
]
