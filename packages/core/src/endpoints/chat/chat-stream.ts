import { ConnectionError } from '../../errors.ts'
import { type Call, purposeOf } from '../../http/call.ts'
import { audioTooLarge, type RequestName } from '../../protocol-errors.ts'
import { createEventParser } from '../../streams/sse.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import type { ChatMessage, ChatRequest } from '../../wire/chat.ts'
import { parseJson } from '../../wire/json.ts'
import type { EndpointContext } from '../context.ts'
import { responseSource } from '../response-source.ts'
import { type ChatDelta, createChatAccumulator } from './accumulator.ts'
import { type ChatResult, parseChatRequest, what } from './chat.ts'
import { assistantMessage, type ChatUsage, type ToolCall } from './message.ts'

/**
 * A language model's response while it is generated. `toReadableStream` delivers its text as UTF-8.
 *
 * The members below cover everything received so far, which can be a few deltas more than the loop has seen.
 */
export interface ChatStream extends Stream<ChatDelta, ChatResult> {
  /** The text. */
  readonly content: string
  /** The thoughts of a reasoning model, which are not meant to be spoken. */
  readonly reasoning: string
  /** The tool calls; their `arguments` are complete at the end of the stream. */
  readonly toolCalls: ToolCall[]
  /** The response as it goes into the `messages` of the next request. */
  readonly message: ChatMessage
  /** `stop`, `length` if a limit cut the response, `tool_calls`, or another value of the service; set at the end. */
  readonly finishReason: string | undefined
  /** The usage that the service counted; set at the end if the service reports it. */
  readonly usage: ChatUsage | undefined
  /** The model that responds; a router may have chosen it. */
  readonly model: string | undefined
}

/** How long the service may take to end the response after `[DONE]` before the client closes the connection. */
const lingerMs = 100

/**
 * `POST /v1/chat/completions`, streamed. The request always asks for usage.
 *
 * Reading the stream throws `ApiError` for an error of the service, even after some deltas, and `ConnectionError`
 * `CONNECTION_LOST` if the response ends before it is complete. The text of a response is limited to `maxResponseBytes`
 * characters, one event to `maxLineBytes`.
 * @throws {InputError} at once if the request is not valid.
 */
export function chatStream(context: EndpointContext, request: ChatRequest, call: Call): ChatStream {
  const { maxLineBytes, maxResponseBytes } = context.options
  const parsed = parseChatRequest(request)
  const body = {
    ...parsed,
    stream: true,
    stream_options: { ...parsed.stream_options, include_usage: true },
  }
  let accumulator = createChatAccumulator({ maxCharacters: maxResponseBytes })
  let requestId: string | undefined

  const path = '/v1/chat/completions'
  const httpRequest = { what, method: 'POST', path, body: { json: body } } as const
  const source = responseSource<ChatDelta>(context, httpRequest, call, (response, deltas) => {
    requestId = response.requestId
    accumulator = createChatAccumulator({ maxCharacters: maxResponseBytes })
    let linger: NodeJS.Timeout | undefined
    let hasEnded = false
    const parser = createEventParser({
      request: response,
      maxEventCharacters: maxLineBytes,
      onEvent(data) {
        if (hasEnded && isTruncated(data)) return
        const delta = accumulator.add(data, response)
        if (delta) deltas.next(delta)
      },
    })
    return {
      next(bytes) {
        parser.push(bytes)
        // Reading to the end keeps the connection for the next request, unless the service takes too long to end it.
        if (parser.isDone) linger ??= setTimeout(response.close, lingerMs).unref()
      },
      end() {
        clearTimeout(linger)
        hasEnded = true
        parser.end()
        if (!parser.isDone && accumulator.finishReason === undefined) throw brokenOff(response)
        deltas.end()
      },
      error(error) {
        clearTimeout(linger)
        if (parser.isDone) deltas.end()
        else deltas.error(error)
      },
    }
  })

  const encoder = new TextEncoder()
  const stream: ChatStream = {
    ...createStream(source, {
      what: 'chat',
      signal: call.signal,
      toBytes: ({ content }) => encoder.encode(content),
    }),
    collect: () => collectChat(stream, purposeOf(call, what), maxResponseBytes),
    get content() {
      return accumulator.content
    },
    get reasoning() {
      return accumulator.reasoning
    },
    get toolCalls() {
      return accumulator.toolCalls
    },
    get message() {
      return assistantMessage(accumulator.content, accumulator.toolCalls)
    },
    get finishReason() {
      return accumulator.finishReason
    },
    get usage() {
      return accumulator.usage
    },
    get model() {
      return accumulator.model
    },
    get requestId() {
      return requestId
    },
  }
  return stream
}

/** @param what named by errors. */
async function collectChat(
  stream: ChatStream,
  what: string,
  maxAudioBytes: number,
): Promise<ChatResult> {
  const pieces: Uint8Array[] = []
  let transcript = ''
  let sizeBytes = 0
  await stream.consume(({ audio }) => {
    if (!audio) return
    pieces.push(audio.audio)
    transcript += audio.transcript
    sizeBytes += audio.audio.length + audio.transcript.length
    if (sizeBytes > maxAudioBytes) {
      throw audioTooLarge({ what, requestId: stream.requestId }, maxAudioBytes)
    }
  })
  const { content, reasoning, toolCalls, message, finishReason, usage, model } = stream
  const audio = pieces.length > 0 ? { audio: Buffer.concat(pieces), transcript } : undefined
  const requestId = stream.requestId ?? ''
  return { content, reasoning, toolCalls, message, audio, finishReason, usage, model, requestId }
}

function brokenOff({ what, requestId }: RequestName): ConnectionError {
  return new ConnectionError(`${what} broke off: the response ended before it was complete`, {
    code: 'CONNECTION_LOST',
    retryable: true,
    requestId,
  })
}

/** True if the connection was lost in the middle of an event. Any other event that is not JSON is a bad response. */
function isTruncated(data: string): boolean {
  return parseJson(data) === undefined
}
