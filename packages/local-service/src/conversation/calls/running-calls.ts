import { realClock } from '../clock.ts'
import { newId } from '../server-events.ts'
import { maxSessions, type SessionConnection } from '../session-connection.ts'
import { acceptCall, type ProcessCall } from './accept-call.ts'
import { openCallConnection } from './call-connection.ts'
import { type CallProcessOptions, createCallProcess } from './call-process.ts'

/** The calls of a service over WebRTC. */
export interface Calls {
  /**
   * Accepts a call, and serves it until it ends.
   * @param offer the SDP of the client.
   * @throws {ServiceError} if the offer cannot become a call, or `@parlando/webrtc` is not installed. {EngineError} if the
   * process of the calls fails.
   */
  accept(offer: string, handlers: CallHandlers): Promise<AcceptedCall>
  /** Ends a call. @returns whether there is a call with this id. */
  hangUp(id: string): Promise<boolean>
  /** @throws {ServiceError} if `@parlando/webrtc` is not installed or cannot be used. */
  requireWebRtc(): void
  /** Ends all calls. Resolves when the work for them has ended. */
  close(): Promise<void>
}

export interface CallHandlers {
  /** Called when the client is connected. The call ends with it. */
  serve(connection: SessionConnection): Promise<void>
  /** Receives the failure of `serve`. */
  onFailure(error: unknown): void
}

export interface AcceptedCall {
  id: string
  /** The answer, as SDP. */
  answer: string
  /** Resolves when the call has ended. */
  ended: Promise<void>
}

export interface CallsOptions extends CallProcessOptions {
  /** Whether only programs on this machine can call. */
  isLocal: boolean
  /** How long a client may take to connect, in milliseconds. Default: 15,000. */
  connectLimitMs?: number
}

/** Above this number, the oldest offer whose client has not connected makes room for a new one. */
const maxUnconnected = maxSessions

export function createCalls({ isLocal, connectLimitMs, ...options }: CallsOptions): Calls {
  const process = createCallProcess(options)
  const open = new Map<string, { call: ProcessCall; ended: Promise<void> }>()
  const unconnected = new Set<ProcessCall>()

  const makeRoom = () => {
    const [oldest] = unconnected
    if (!oldest || unconnected.size <= maxUnconnected) return
    unconnected.delete(oldest)
    void oldest.close()
  }

  return {
    async accept(offer, { serve, onFailure }) {
      const { call, connection } = await openCallConnection({
        clock: realClock,
        accept: (handlers) => acceptCall(process, { offer, isLocal, connectLimitMs }, handlers),
      })
      const id = newId('rtc')
      const run = async () => {
        try {
          await call.opened
          unconnected.delete(call)
          if (!call.signal.aborted) await serve(connection)
        } catch (error) {
          onFailure(error)
        } finally {
          await call.close()
          open.delete(id)
        }
      }
      unconnected.add(call)
      makeRoom()
      const ended = run()
      open.set(id, { call, ended })
      return { id, answer: call.answer, ended }
    },
    async hangUp(id) {
      const found = open.get(id)
      await found?.call.close()
      return found !== undefined
    },
    requireWebRtc: () => void options.findWebRtc(),
    async close() {
      const calls = [...open.values()]
      await Promise.all(calls.map(({ call, ended }) => Promise.all([call.close(), ended])))
      await process.close()
    },
  }
}
