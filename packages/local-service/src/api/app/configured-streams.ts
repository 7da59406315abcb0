import type { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { toServiceError } from '../../errors/to-service-error.ts'
import { readValidMessage } from '../../requests/parse-request.ts'
import { type ClientSocket, endWithError } from '../../server/sockets/client-socket.ts'
import type { ApiContext, SocketEndpoint } from './endpoint.ts'

/** A stream of sound from a client, after the first message, which has configured it. */
export interface ConfiguredStream<Message> {
  take(message: Message): Promise<void>
  /** The client sends nothing more: sends the remaining results. */
  end(): Promise<void>
  /** Called after success and after failure. */
  close(): void
}

interface StreamDefinition<Message, Field extends keyof Message> {
  schema: z.ZodType<Message>
  /** The field of the first message, and only of that one, with the configuration. */
  configField: Field
  open(
    config: NonNullable<Message[Field]>,
    service: ApiContext,
    socket: ClientSocket,
  ): Promise<ConfiguredStream<Message>>
  /** Whether a client that has fallen silent gets the remaining results before the error. Default: no. */
  endsAfterSilence?: boolean
}

/** Serves sockets whose first message configures a stream, and on which `closeStream` ends it. */
export function serveConfiguredStreams<
  Message extends { closeStream?: object | undefined },
  Field extends keyof Message & string,
>({
  schema,
  configField,
  open,
  endsAfterSilence = false,
}: StreamDefinition<Message, Field>): SocketEndpoint['createServer'] {
  return (service, handshake) => async (socket) => {
    let stream: ConfiguredStream<Message> | undefined
    try {
      for await (const bytes of socket.messages) {
        const message = await readValidMessage(handshake, schema, bytes)
        if (message.closeStream) break
        const config = message[configField]
        if (config && stream) reject(`${configField}: only the first message may have one`)
        if (config) stream = await open(config, service, socket)
        else if (stream) await stream.take(message)
        else reject(`The first message must have ${configField}`)
      }
      if (!socket.signal.aborted) await stream?.end()
    } catch (error) {
      const isSilence = toServiceError(error).code === 'DEADLINE_EXCEEDED'
      if (isSilence && endsAfterSilence) await stream?.end().catch(() => {})
      await endWithError(socket, error, service)
    } finally {
      stream?.close()
    }
  }
}

function reject(message: string): never {
  throw new ServiceError('INVALID_ARGUMENT', message)
}
