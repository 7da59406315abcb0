import type { RecordedSound } from '@parlando/test-support/audio/recorded-sound'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import type { Driver } from '../driver.ts'
import type { SpeakerErrorCode } from '../speaker-error.ts'

/** What the shared tests need of a kind of speaker: `kinds/<kind>/<kind>.test-case.ts`. */
export interface DriverTestModule {
  default: CreateDriverCase
  /** What the tests need apart from a sound server. */
  programs?: readonly Program[]
  /** Simulates a device in the network. */
  createDeviceCase?: () => Promise<DeviceCase>
}

export type CreateDriverCase = () => Promise<DriverCase>

export interface DriverCase {
  /** A driver of a speaker that works. */
  driver: Driver
  /** Records what this speaker plays. */
  record(): Promise<{ stop(): Promise<RecordedSound> }>
  /** Receives what the driver hands out. */
  handOut?(message: Record<string, unknown>): void
  /** Resolves when the speaker is silent. Absent where it is silent at once after an abort. */
  silence?(): Promise<void>
  /** A driver of a speaker that does not work, and the code of its error. */
  broken: { driver: Driver; code: SpeakerErrorCode }
  /** Releases what the case has opened, after the drivers are closed. */
  close(): Promise<void>
}

/** A device in the network, and what disturbs it. */
export interface DeviceCase {
  driver: Driver
  /**
   * A driver of the same kind for a device at another address. Absent if the device connects to us.
   * @param limitMs How long it may take to respond. Default: that of the kind.
   */
  at?(address: string, limitMs?: number): Driver
  /** A driver with a wrong secret, where the kind has one, and part of its error. */
  wrongSecret?: { driver: Driver; message: RegExp }
  record: DriverCase['record']
  /** How far the steps of its volume may be from decibels. Default: 2. */
  volumeErrorDb?: number
  /** Begins to play a tone of 300 Hz as music. Absent if the device plays only sounds. */
  playMusic?(): Promise<void>
  /**
   * The length of the sound that is stopped, and how long the music may take to return then. Default: 10 s, and as long as after
   * a whole sound.
   */
  stopped?: { soundSeconds: number; musicReturnsMs: number }
  /** What a sound leaves as it was, such as song, volume and modes. */
  state?(): Promise<unknown>
  /** Ends the program of the device as a power failure does, and starts it again. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Loads the test case of a kind. */
export function loadDriverTest(kind: string): Promise<DriverTestModule> {
  // As an address: Vitest would keep the list of files that fit a pattern, without that of a new kind.
  return import(new URL(`../kinds/${kind}/${kind}.test-case.ts`, import.meta.url).href)
}
