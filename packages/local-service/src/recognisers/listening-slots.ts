// A file of its own, because programs load the files of recognisers and detectors, and would load all schemas with these errors.
import { createSlots, type Slots } from '../concurrency/slots.ts'
import { tooBusy } from '../errors/service-error.ts'

/** Limits how many utterances a recogniser takes in parallel. */
export function createUtteranceSlots(slots: number, maxWaiting: number): Slots {
  const toError = ({ running, waiting }: { running: number; waiting: number }) =>
    tooBusy(`${running + waiting} utterances are already being recognised`)
  return createSlots({ slots, limit: { maxWaiting, toError } })
}

/** Limits how many streams a detector listens to. None waits: a microphone that gets no stream tries again. */
export function createWakeWordSlots(maxStreams: number): Slots {
  const toError = () => tooBusy(`${maxStreams} microphones already wait for a wake word`)
  return createSlots({ slots: maxStreams, limit: { maxWaiting: 0, toError } })
}
