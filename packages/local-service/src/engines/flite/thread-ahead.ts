import { type FliteThread, startFliteThread } from './flite-thread.ts'

let ahead: FliteThread | undefined

/** Starts a thread before the engine needs it, so that it becomes ready while the modules of the service load. */
export function startThreadAhead(): void {
  ahead ??= startFliteThread()
}

/** @returns the thread that was started ahead, only once; otherwise a new one. */
export function takeThread(): FliteThread {
  const thread = ahead ?? startFliteThread()
  ahead = undefined
  return thread
}
