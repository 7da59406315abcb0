import { ConnectionError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import type { HttpResponse } from '../../http/response.ts'
import { audioTooLarge, lineTooLong, type RequestName } from '../../protocol-errors.ts'
import { createEventParser } from '../../streams/sse.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import type { ChatMessage, ChatRequest } from '../../wire/chat-completion.ts'
import { parseJson } from '../../wire/decode.ts'
import type { ToolCall } from '../../wire/tool-calls.ts'
import { type EndpointContext, responseSource } from '../response-source.ts'
import { type ChatResult, parseChatRequest } from './chat.ts'
import { type ChatDelta, ChatReply } from './chat-reply.ts'
import type { ChatUsage } from './message.ts'

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

const encoder = new TextEncoder()

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
  const reply = new ChatReply({ maxCharacters: maxResponseBytes })

  const httpRequest = {
    method: 'POST',
    path: '/v1/chat/completions',
    body: { json: body },
  } as const
  const source = responseSource<ChatDelta>(context, httpRequest, call, (response, deliver) =>
    readReply(response, { reply, deliver, maxEventCharacters: maxLineBytes }),
  )

  const reading = createStream(source, {
    what: 'chat',
    signal: call.signal,
    toBytes: ({ content }) => encoder.encode(content),
  })
  const stream: ChatStream = Object.assign(reply, reading, {
    collect: () => collectChat(stream, call.what, maxResponseBytes),
  })
  return stream
}

interface ReplyReading {
  reply: ChatReply
  deliver(delta: ChatDelta): void
  maxEventCharacters: number
}

/** Reads the events of a response into the reply. @throws {ConnectionError} if it ends before it is complete. */
async function readReply(
  response: HttpResponse,
  { reply, deliver, maxEventCharacters }: ReplyReading,
): Promise<void> {
  reply.reset()
  reply.requestId = response.requestId
  let linger: NodeJS.Timeout | undefined
  let hasEnded = false
  const parser = createEventParser({
    maxEventCharacters,
    toError: (fault, problem) =>
      fault === 'html' ? response.bad(problem) : lineTooLong(response, problem),
    onEvent(data) {
      if (hasEnded && isTruncated(data)) return
      const delta = reply.add(data, response)
      if (delta) deliver(delta)
    },
  })
  try {
    await response.consume((bytes) => {
      parser.push(bytes)
      // Reading to the end keeps the connection for the next request, unless the service takes too long to end it.
      if (parser.isDone) linger ??= setTimeout(response.close, lingerMs).unref()
    })
  } catch (error) {
    if (!parser.isDone) throw error
  } finally {
    clearTimeout(linger)
  }
  hasEnded = true
  parser.end()
  if (!parser.isDone && reply.finishReason === undefined) throw brokenOff(response)
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
