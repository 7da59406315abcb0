import { ConnectionError, InputError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import type { HttpResponse } from '../../http/transport.ts'
import { createEventParser } from '../../streams/sse.ts'
import type { ChatMessage, ChatRequest } from '../../wire/chat.ts'
import type { EndpointContext } from '../context.ts'
import { type ChatDelta, createChatRecord } from './accumulator.ts'
import { parseChatRequest } from './chat.ts'
import { assistantMessage, type ChatUsage, type ToolCall } from './message.ts'

/** An answer as it is being written. The request is made when the loop over it begins; it can be looped over once. */
export interface ChatStream extends AsyncIterable<ChatDelta> {
  /** What has been said so far. */
  readonly content: string
  /** What has been thought so far. */
  readonly reasoning: string
  /** The tool calls so far; their `arguments` are whole at the end. */
  readonly toolCalls: ToolCall[]
  /** The answer so far as it goes into the `messages` of the next request. */
  readonly message: ChatMessage
  /** `stop`, `length` when a limit cut it, `tool_calls`, or another word of the service; there at the end. */
  readonly finishReason: string | undefined
  /** What the service counted; there at the end, where the service tells it. */
  readonly usage: ChatUsage | undefined
  /** The model that answers, which a router may have chosen. */
  readonly model: string | undefined
  /** What was sent as `X-Request-Id`; `undefined` until the answer has begun. */
  readonly requestId: string | undefined
  /** Leaving the loop early closes the connection. */
  [Symbol.asyncIterator](): AsyncGenerator<ChatDelta, void>
}

/** How long the connection may take to end after `[DONE]` before it is closed instead of kept for the next call. */
const lingerMs = 100

/**
 * `POST /v1/chat/completions`, streamed; the usage is always asked for.
 *
 * The loop throws `ApiError` for an error of the service, also in the middle, and `ConnectionError` `CONNECTION_LOST`
 * when the answer ends before it is complete. The texts of one answer are limited to `maxResponseBytes` characters, one
 * event to `maxLineBytes`.
 *
 * @throws {InputError} at once, when the request is not valid.
 */
export function chatStream(
  { transport, options }: EndpointContext,
  request: ChatRequest,
  call: Call,
): ChatStream {
  const { signal } = call
  const parsed = parseChatRequest(request)
  const body = {
    ...parsed,
    stream: true,
    stream_options: { ...parsed.stream_options, include_usage: true },
  }
  let record = createChatRecord({ maxCharacters: options.maxResponseBytes })
  let requestId: string | undefined
  let isConsumed = false

  async function* deltas(response: HttpResponse): AsyncGenerator<ChatDelta, void> {
    requestId = response.requestId
    record = createChatRecord({ maxCharacters: options.maxResponseBytes })
    const parser = createEventParser({ maxEventCharacters: options.maxLineBytes, requestId })
    let linger: NodeJS.Timeout | undefined
    try {
      for await (const bytes of response.bytes) {
        for (const data of parser.push(bytes)) {
          const delta = record.read(data, response)
          if (delta) yield delta
        }
        // Reading on to the end keeps the connection for the next call, unless the end takes too long.
        if (parser.isDone) linger ??= setTimeout(response.close, lingerMs)
      }
      for (const data of parser.end()) {
        const delta = isTorn(data) ? undefined : record.read(data, response)
        if (delta) yield delta
      }
    } catch (error) {
      if (!parser.isDone || signal?.aborted) throw error
    } finally {
      clearTimeout(linger)
    }
    if (!parser.isDone && record.finishReason === undefined) {
      throw new ConnectionError('Chat broke off: the answer ended before it was complete', {
        code: 'CONNECTION_LOST',
        retryable: true,
        requestId,
      })
    }
  }

  return {
    get content() {
      return record.content
    },
    get reasoning() {
      return record.reasoning
    },
    get toolCalls() {
      return record.toolCalls
    },
    get message() {
      return assistantMessage(record.content, record.toolCalls)
    },
    get finishReason() {
      return record.finishReason
    },
    get usage() {
      return record.usage
    },
    get model() {
      return record.model
    },
    get requestId() {
      return requestId
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) throw new InputError('A chat stream can be consumed once; make a new one')
      isConsumed = true
      return transport.sendForItems(
        { what: 'Chat', method: 'POST', path: '/v1/chat/completions', body: { json: body } },
        call,
        deltas,
      )
    },
  }
}

/** Whether an event without an end was cut off in the middle: a connection that was lost, and not a bad answer. */
function isTorn(data: string): boolean {
  try {
    JSON.parse(data)
    return false
  } catch {
    return true
  }
}
