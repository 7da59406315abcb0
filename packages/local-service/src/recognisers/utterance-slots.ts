import { createSlots, type Slots } from '../concurrency/slots.ts'
import { tooBusy } from '../errors/service-error.ts'

// A file of its own, because programs load recogniser.ts, and would load all schemas with these errors.
/** Limits how many utterances a recogniser takes in parallel. */
export function createUtteranceSlots(slots: number, maxWaiting: number): Slots {
  const toError = ({ running, waiting }: { running: number; waiting: number }) =>
    tooBusy(`${running + waiting} utterances are already being recognised`)
  return createSlots({ slots, limit: { maxWaiting, toError } })
}
