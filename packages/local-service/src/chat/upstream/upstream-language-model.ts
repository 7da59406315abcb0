import { chatChunkSchema, parseJson, ToolCallAssembly } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { problemText, readErrorText, readEvents } from '../../remote/read-response.ts'
import {
  incompleteReasonOf,
  type LanguageModel,
  type ModelOutput,
  type ModelRequest,
} from '../language-model.ts'
import type { ChatUpstream } from './chat-upstream.ts'

// A larger event is not text to speak.
const eventLimits = { subject: 'The language model', maxEventCharacters: 1024 * 1024 }
const brokenOff = 'The language model broke off: its response ended before it was complete'
const maxToolCalls = 100
/** All calls of a response together may have this many. */
const maxArgumentCharacters = 100_000
const tooManyCalls = `The language model calls more than ${maxToolCalls} tools, or with more than ${maxArgumentCharacters} characters`
const errorLimits = { maxBytes: 64 * 1024, timeLimitMs: 2000 }

/** A model of the chat upstream. @param name as the upstream calls it. */
export function createUpstreamModel(upstream: ChatUpstream, name: string): LanguageModel {
  return {
    async *respond(request) {
      const body = Buffer.from(JSON.stringify(toBody(name, request)))
      const response = await upstream.forward(body, request.signal, (stream, error) =>
        stream.error(error),
      )
      if (!response.ok) throw await readFailure(response)
      // Some servers ignore the choice.
      const mayCall = request.toolChoice !== 'none'
      for await (const output of readOutput(response)) {
        if (mayCall || output.type !== 'toolCall') yield output
      }
    },
  }
}

function toBody(model: string, request: ModelRequest): object {
  const { messages, tools, toolChoice, maxTokens, temperature } = request
  const choice =
    typeof toolChoice === 'string'
      ? toolChoice
      : { type: 'function', function: { name: toolChoice.name } }
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && {
      tools: tools.map(({ type, ...tool }) => ({ type, function: tool })),
      tool_choice: choice,
    }),
    ...(maxTokens !== 'inf' && { max_tokens: maxTokens }),
    ...(temperature !== null && { temperature }),
  }
}

async function readFailure(response: Response): Promise<ServiceError> {
  const text = await readErrorText(response, errorLimits)
  const reason = problemText(parseJson(text) ?? text)
  const message = `The language model failed with status ${response.status}${reason && `: ${reason}`}`
  return new ServiceError('UNAVAILABLE', message)
}

async function* readOutput(response: Response): AsyncGenerator<ModelOutput, void> {
  const calls = new ToolCallAssembly()
  let argumentCharacters = 0
  let usage = { input: 0, output: 0 }
  let reason: string | undefined
  let isComplete = false
  const onDone = () => {
    isComplete = true
  }
  for await (const data of readEvents(response, { ...eventLimits, onDone })) {
    const chunk = chatChunkSchema.safeParse(parseJson(data)).data
    if (!chunk) continue
    if (chunk.error) throw new ServiceError('UNAVAILABLE', modelFailure(chunk))
    const { prompt_tokens: input, completion_tokens: output } = chunk.usage ?? {}
    usage = { input: input ?? usage.input, output: output ?? usage.output }
    const choice = chunk.choices?.find(({ index }) => !index)
    reason = choice?.finish_reason || reason
    for (const part of choice?.delta?.tool_calls ?? []) {
      argumentCharacters += calls.add(part).arguments?.length ?? 0
    }
    if (calls.size > maxToolCalls || argumentCharacters > maxArgumentCharacters) {
      throw new ServiceError('UNAVAILABLE', tooManyCalls)
    }
    const text = choice?.delta?.content
    if (typeof text === 'string' && text !== '') yield { type: 'text', text }
  }
  // A server that is restarted breaks off like this.
  if (!isComplete && reason === undefined) throw new ServiceError('UNAVAILABLE', brokenOff)
  const incompleteReason = incompleteReasonOf(reason)
  // A tool must not be called with half of its arguments.
  for (const { id, name, arguments: text } of incompleteReason ? [] : calls.list) {
    if (name) yield { type: 'toolCall', callId: id || undefined, name, arguments: text || '{}' }
  }
  yield { type: 'end', incompleteReason, usage }
}

function modelFailure(chunk: object): string {
  return `The language model failed: ${problemText(chunk) || 'it gave no reason'}`
}
