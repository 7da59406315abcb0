import type { Call } from '@parlando/webrtc'
import { ServiceError } from '../../../errors.ts'
import { realClock } from '../../../realtime/clock.ts'
import type { Connection } from '../connection.ts'
import { openCallConnection } from './call-connection.ts'
import type { WebRtc } from './load-webrtc.ts'

/** The calls of a service over WebRTC. */
export interface Calls {
  /**
   * Accepts a call, and serves it until it ends.
   * @param offer the SDP of the client.
   * @returns the answer, as SDP, and a promise that resolves when the call has ended.
   * @throws {ServiceError} if the offer cannot become a call, or `@parlando/webrtc` is not installed.
   */
  accept(offer: string, handlers: CallHandlers): Promise<AcceptedCall>
  /** @throws {ServiceError} if `@parlando/webrtc` is not installed or cannot be used. */
  requireWebRtc(): Promise<void>
  /** Ends all calls. Resolves when the work for them has ended. */
  close(): Promise<void>
}

export interface CallHandlers {
  /** Called when the client is connected. The call ends with it. */
  serve(connection: Connection): Promise<void>
  /** Receives the failure of `serve`. */
  onFailure(error: unknown): void
}

export interface AcceptedCall {
  answer: string
  ended: Promise<void>
}

export interface CallsOptions {
  /** @throws {ServiceError} if the package is not installed. */
  load(): Promise<Pick<WebRtc, 'acceptCall' | 'OfferError'>>
  /** Whether only programs on this machine can call. */
  isLocal: boolean
}

export function createCalls({ load, isLocal }: CallsOptions): Calls {
  const open = new Map<Call, Promise<void>>()
  return {
    async accept(offer, { serve, onFailure }) {
      const { acceptCall, OfferError } = await load()
      const { call, connection } = await openCallConnection({
        clock: realClock,
        accept: (handlers) => acceptCall(offer, { ...handlers, isLocal }),
      }).catch((error) => {
        if (!(error instanceof OfferError)) throw error
        throw new ServiceError('INVALID_ARGUMENT', `sdp: the offer ${error.message}`)
      })
      const run = async () => {
        try {
          await call.opened
          if (!call.signal.aborted) await serve(connection)
        } catch (error) {
          onFailure(error)
        } finally {
          await call.close()
          open.delete(call)
        }
      }
      const ended = run()
      open.set(call, ended)
      return { answer: call.answer, ended }
    },
    async requireWebRtc() {
      await load()
    },
    async close() {
      const calls = [...open]
      await Promise.all(calls.map(([call, ended]) => Promise.all([call.close(), ended])))
    },
  }
}
