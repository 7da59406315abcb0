import { createSlots, type Slots } from '../concurrency/slots.ts'
import { tooBusy } from '../errors/service-error.ts'

// A file of its own, because programs load wake-word-detector.ts, and would load all schemas with these errors.
/** Limits how many streams a detector listens to. None waits: a microphone that gets no stream tries again. */
export function createWakeWordSlots(maxStreams: number): Slots {
  const toError = () => tooBusy(`${maxStreams} microphones already wait for a wake word`)
  return createSlots({ slots: maxStreams, limit: { maxWaiting: 0, toError } })
}
