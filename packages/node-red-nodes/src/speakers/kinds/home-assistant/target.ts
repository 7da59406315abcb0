import type { EntityState } from './entity-state.ts'

/** How one kind of entity plays the address of a sound. */
export interface EntityTarget {
  /** Remembers what {@link restore} needs, and sets the volume. @throws the reason of the signal. */
  prepare(signal: AbortSignal): Promise<void>
  /** Plays an address. Resolves when Home Assistant has called the device; on some devices, when the sound ends. */
  start(url: string): Promise<void>
  /** Whether the device plays the address. Absent where its state does not show that. */
  isPlaying?(url: string): (state: EntityState) => boolean
  stop(url: string): Promise<void>
  /** Sets the volume as before, and plays what was playing if {@link start} has interrupted it. */
  restore(): Promise<void>
  /** Home Assistant fetches the sound itself, so nothing is heard without it. */
  isFetchedByHomeAssistant?: true
}
