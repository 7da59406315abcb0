import { Readable } from 'node:stream'
import type { Client } from '@parlando/core'
import { chatStream } from '../../packages/core/src/endpoints/chat/chat-stream.ts'
import { synthesizeStream } from '../../packages/core/src/endpoints/speech/synthesize-stream.ts'
import { listen, readBytes } from '../../packages/core/src/http/response-body.ts'
import { streamError } from '../../packages/core/src/http/response-errors.ts'
import type { Transport } from '../../packages/core/src/http/transport.ts'
import { type ClientOptions, resolveOptions } from '../../packages/core/src/options.ts'

export type StreamingClient = Pick<Client, 'synthesizeStream' | 'chatStream'>

/**
 * The client behind its connection, where an answer takes a fifth of the time: every call gets one in exactly these
 * pieces.
 */
export function createDirectClient(
  clientOptions: ClientOptions,
  answer: () => readonly Buffer[],
): StreamingClient {
  const options = resolveOptions(clientOptions)
  const send: Transport['send'] = async (call) => {
    const facts = { call, baseUrl: options.baseUrl, requestId: 'direct', options }
    const body = Readable.from(answer())
    return {
      requestId: facts.requestId,
      contentType: '',
      bytes: readBytes(body, facts),
      listen: (listener) => listen(body, listener, facts),
      errorOf: (problem) => streamError(facts, problem),
      close: () => void body.destroy(),
    }
  }
  const transport: Transport = {
    send,
    sendOnce: send,
    async *sendForItems(call, read) {
      yield* read(await send(call))
    },
    sendForJson: () => Promise.reject(new Error('Streams alone come this way')),
    closing: new AbortController().signal,
    close: async () => {},
  }
  return {
    synthesizeStream: (request) => synthesizeStream(transport, options, request),
    chatStream: (request) => chatStream(transport, options, request),
  }
}
