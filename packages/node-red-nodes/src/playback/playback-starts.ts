import { packageState } from '../runtime/package-state.ts'
import type { Speaker } from '../speakers/speaker.ts'

/** @param speakers where the sound plays. */
type StartListener = (speakers: readonly Speaker[]) => void

// The node that plays a sound may be several wires away from the node that sends it.
const listeners = packageState('startListeners', () => new Map<string, StartListener>())

/**
 * Calls back when a speaker begins to play a sound.
 * @param soundId `msg.parts.id` of its messages.
 * @returns a function that ends the wait. Must be called, because nothing may ever play the sound.
 */
export function onPlaybackStart(soundId: string, listener: StartListener): () => void {
  listeners.set(soundId, listener)
  return () => void listeners.delete(soundId)
}

/** @param soundId undefined for a sound in one message. */
export function reportPlaybackStart(
  soundId: string | undefined,
  speakers: readonly Speaker[],
): void {
  if (soundId === undefined) return
  const listener = listeners.get(soundId)
  listeners.delete(soundId)
  listener?.(speakers)
}
