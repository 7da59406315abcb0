import type { Client } from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import type { ServiceCall, SpeechService } from '../../../runtime/speech-service.ts'
import { abortableDelay } from '../../../runtime/wait.ts'

export interface GoingOn {
  /** Runs work with the client. */
  use: SpeechService['use']
  call: ServiceCall
}

/** A text with which the service crashes each time ends then. */
const maxLosses = 5
/** A connection breaks a moment before the exit of the process is known. */
const exitLimitMs = 1_000
const lostCodes = ['NOT_REACHABLE', 'CONNECTION_LOST']

/**
 * Does work with a service. If the process of the service exits meanwhile, it does the work again with the next one, which has another
 * address. @param work receives a call that ends with the process.
 */
export async function goOnAfterLoss<Result>(
  { use, call }: GoingOn,
  work: (client: Client, call: ServiceCall) => Promise<Result>,
): Promise<Result> {
  for (let losses = 0; ; losses += 1) {
    let outcome: { result: Result } | undefined
    await use(call.signal, async (client, lost) => {
      const signal = AbortSignal.any([call.signal, lost])
      try {
        outcome = { result: await work(client, { ...call, signal }) }
      } catch (error) {
        call.signal.throwIfAborted()
        if (losses === maxLosses || !(await isLoss(error, signal))) throw error
      }
    })
    if (outcome) return outcome.result
    call.signal.throwIfAborted()
  }
}

/** Waits a moment for the end of the process. */
async function isLoss(error: unknown, signal: AbortSignal): Promise<boolean> {
  const isBroken = ParlandoError.isInstance(error) && lostCodes.includes(error.code)
  if (isBroken) await abortableDelay(exitLimitMs, signal).catch(() => {})
  return signal.aborted
}
