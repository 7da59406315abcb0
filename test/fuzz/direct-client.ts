import { Readable } from 'node:stream'
import type { Client } from '@parlando/core'
import { chatStream } from '../../packages/core/src/endpoints/chat/chat-stream.ts'
import { synthesizeStream } from '../../packages/core/src/endpoints/speech/synthesize-stream.ts'
import { type Call, createCall } from '../../packages/core/src/http/call.ts'
import { type ClientOptions, resolveOptions } from '../../packages/core/src/http/options.ts'
import { pushBytes, readBytes } from '../../packages/core/src/http/response-body.ts'
import { streamError } from '../../packages/core/src/http/response-errors.ts'
import { TimeLimit } from '../../packages/core/src/http/time-limit.ts'
import type { HttpResponse, Transport } from '../../packages/core/src/http/transport.ts'

export type StreamingClient = Pick<Client, 'synthesizeStream' | 'chatStream'>

/**
 * The client without a connection, which takes a fifth of the time: every request receives a response in exactly these
 * pieces.
 */
export function createDirectClient(
  clientOptions: ClientOptions,
  pieces: () => readonly Buffer[],
): StreamingClient {
  const options = resolveOptions(clientOptions)
  const respond = (what: string, call: Call): HttpResponse => {
    const { baseUrl } = options
    const timeLimit = new TimeLimit()
    const { signal: closing } = new AbortController()
    const facts = {
      what,
      call,
      baseUrl,
      requestId: 'direct',
      timeLimit: timeLimit.signal,
      mayUseProxy: false,
      closing,
      options,
    }
    const body = Readable.from(pieces())
    return {
      what,
      requestId: facts.requestId,
      header: () => undefined,
      contentType: '',
      bytes: () => readBytes(body, facts, timeLimit),
      pushTo: (sink) => pushBytes(body, sink, facts, timeLimit),
      errorOf: (problem) => streamError(facts, problem),
      close: () => void body.destroy(),
    }
  }
  const onlyStreams = () => Promise.reject(new Error('This transport is only for HTTP streams'))
  const transport: Transport = {
    send: async ({ what }, call, read) => read(respond(what, call)),
    sendForJson: onlyStreams,
    openSocket: onlyStreams,
    acquire: onlyStreams,
    close: async () => {},
  }
  const context = { transport, options, spare: {} }
  return {
    synthesizeStream: (request) => synthesizeStream(context, request, createCall(options)),
    chatStream: (request) => chatStream(context, request, createCall(options)),
  }
}
