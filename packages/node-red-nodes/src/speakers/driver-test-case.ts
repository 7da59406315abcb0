import type { RecordedSound } from '@parlando/test-support/audio/recorded-sound'
import type { Driver } from './driver.ts'
import type { SpeakerErrorCode } from './speaker-error.ts'

/** What the shared tests need of a kind of speaker: the default export of `<kind>/<kind>.test-case.ts`. */
export type CreateDriverCase = () => Promise<DriverCase>

export interface DriverCase {
  /** A driver of a speaker that works. */
  driver: Driver
  /** Records what this speaker plays. */
  record(): Promise<{ stop(): Promise<RecordedSound> }>
  /** Receives what the driver hands out. */
  handOut?(message: Record<string, unknown>): void
  /** A driver of a speaker that does not work, and the code of its error. */
  broken: { driver: Driver; code: SpeakerErrorCode }
  /** Releases what the case has opened, after the drivers are closed. */
  close(): Promise<void>
}
