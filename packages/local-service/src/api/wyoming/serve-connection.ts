import { ServiceError } from '../../errors.ts'
import type { WyomingConnection } from '../../remote/wyoming/connection.ts'
import { InvalidEventError, type WyomingEvent } from '../../remote/wyoming/event.ts'
import { isServiceFault, toServiceError } from '../../to-service-error.ts'
import type { AppContext } from '../endpoint.ts'
import { describeToWyoming } from './info.ts'
import { createListener } from './listener.ts'
import { createSpeaker } from './speaker.ts'

/** A connection that is being served. */
export interface ServedConnection {
  readonly isBusy: boolean
  /** When the client sent its last event or, before that, connected. On the clock of `performance.now()`. */
  readonly lastEventMs: number
  /** Resolves when all requests of the connection are served. */
  served: Promise<void>
}

export function serveConnection(
  connection: WyomingConnection,
  service: AppContext,
): ServedConnection {
  /** Closes the connection too: Home Assistant ignores errors, and would wait for ever for the end of the speech. */
  let hasFailed = false
  let lastEventMs = performance.now()
  const fail = async (error: unknown): Promise<void> => {
    if (hasFailed || connection.closed.aborted) return
    hasFailed = true
    if (isServiceFault(error)) service.onFailure(error)
    const { message: text, code } = toServiceError(error)
    await connection.send({ type: 'error', data: { text, code } }).catch(() => {})
    connection.end()
  }
  const listener = createListener(connection, service, fail)
  const speaker = createSpeaker(connection, service, fail)

  const receive = async ({ type, data, payload }: WyomingEvent): Promise<void> => {
    if (type === 'describe') {
      await connection.send({ type: 'info', data: describeToWyoming(service) })
    } else if (type === 'ping') await connection.send({ type: 'pong', data })
    else if (type === 'transcribe') listener.configure(data)
    else if (type === 'audio-start') await listener.start(data)
    else if (type === 'audio-chunk') await listener.write(data, payload)
    else if (type === 'audio-stop') await listener.end()
    else if (type === 'synthesize') speaker.speak(data)
    else if (type === 'synthesize-start') speaker.startStream(data)
    else if (type === 'synthesize-chunk') await speaker.pushText(data)
    else if (type === 'synthesize-stop') speaker.endStream()
    // Other events belong to other services, or to later versions of the protocol.
  }

  const serve = async (): Promise<void> => {
    try {
      for await (const event of connection.events) {
        if (hasFailed) return
        lastEventMs = performance.now()
        try {
          await receive(event)
          await speaker.hasRoom()
        } catch (error) {
          return await fail(error)
        }
      }
      await speaker.finish()
      connection.end()
    } catch (error) {
      if (error instanceof InvalidEventError) {
        return await fail(new ServiceError('INVALID_ARGUMENT', error.message))
      }
      connection.destroy()
    } finally {
      listener.close()
    }
  }

  return {
    get isBusy() {
      return listener.isBusy || speaker.isBusy
    },
    get lastEventMs() {
      return lastEventMs
    },
    served: serve(),
  }
}
