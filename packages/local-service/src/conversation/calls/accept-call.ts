import { EngineError } from '../../errors/engine-error.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { CallProcess } from './call-process.ts'
import type { CallEvent, CallReport, CallRequest } from './calls-program.ts'

/** A call in the process of the calls. */
export interface ProcessCall {
  /** The answer to the offer, as SDP. */
  readonly answer: string
  /** Resolves when the client has opened the data channel, or the call has ended. */
  readonly opened: Promise<void>
  /** Aborted when the call has ended. */
  readonly signal: AbortSignal
  /** Sends a message. Resolves when most of what was sent has left, or the call has ended. */
  send(message: string): Promise<void>
  /** Sends 20 ms of sound, as PCM with 24 kHz. @param positionMs since the start of the call. */
  sendSound(pcm: Uint8Array, positionMs: number): void
  /** Ends the call. Resolves when its ports are free. */
  close(): Promise<void>
}

export interface CallReceiver {
  onMessage(message: Buffer): void
  /** Receives sound as PCM with 24 kHz, in order. */
  onSound(pcm: Uint8Array): void
}

/**
 * Accepts the call of a client. Must be closed after success.
 * @throws {ServiceError} if the offer cannot become a call. {EngineError} if the process does not start or ends.
 */
export async function acceptCall(
  process: CallProcess,
  request: Omit<Extract<CallRequest, { type: 'accept' }>, 'type'>,
  { onMessage, onSound }: CallReceiver,
): Promise<ProcessCall> {
  const accepted = deferred<string>()
  const opened = deferred<void>()
  const ended = deferred<void>()
  const ending = new AbortController()
  const sending: (() => void)[] = []

  const end = () => {
    work.release()
    ending.abort()
    for (const resolve of [opened.resolve, ended.resolve, ...sending]) resolve()
  }
  const take = (event: CallReport) => {
    if (event.type === 'sound') onSound(event.pcm)
    else if (event.type === 'message') onMessage(Buffer.from(event.message))
    else if (event.type === 'sent') sending.shift()?.()
    else if (event.type === 'accepted') accepted.resolve(event.answer)
    else if (event.type === 'opened') opened.resolve()
    else if (event.type !== 'alive') {
      if (event.type !== 'ended') accepted.reject(toError(event))
      end()
    }
  }
  const work = await process.begin()
  work.onReport = take
  work.send({ type: 'accept', ...request })
  const answer = await accepted.promise
  return {
    answer,
    opened: opened.promise,
    signal: ending.signal,
    async send(message) {
      if (ending.signal.aborted) return
      work.send({ type: 'message', message })
      await new Promise<void>((resolve) => sending.push(resolve))
    },
    sendSound: (pcm, positionMs) => work.send({ type: 'sound', pcm, positionMs }),
    close() {
      ending.abort()
      work.send({ type: 'close' })
      return ended.promise
    },
  }
}

function toError(event: Extract<CallEvent, { type: 'rejected' | 'failed' }>): Error {
  if (event.type === 'rejected') {
    return new ServiceError('INVALID_ARGUMENT', `sdp: the offer ${event.problem}`)
  }
  const message = `The call could not be accepted: ${event.reason}. Try again`
  return new EngineError('unavailable', message)
}

function deferred<Value>() {
  let resolve!: (value: Value) => void
  let reject!: (error: Error) => void
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle))
  return { promise, resolve, reject }
}
