import type { Sound, SoundFormat } from '../sounds/sound.ts'

/** Plays sounds on one speaker. The announcer plays one sound at a time. */
export interface Driver {
  /**
   * Finds out what the speaker can play now.
   * @throws {SpeakerError} when it cannot play anything.
   */
  prepare(signal: AbortSignal): Promise<SoundFormat>
  /**
   * Plays a sound in the format that `prepare` returned, also while the sound grows.
   * @returns when it was heard to its end.
   * @throws {SpeakerError} when it was not. After an abort, silence follows at once and the reason of the signal is thrown.
   */
  play(sound: Sound, options: PlayOptions): Promise<Played>
  /**
   * Shows the alarms that somebody must acknowledge, for a speaker that has a display.
   * @param acknowledge takes the id of one.
   */
  showAlarms?(alarms: readonly ShownAlarm[], acknowledge: (id: string) => void): void
  /** Whether an announcement can play over the sound of a play node now. Default: they take turns. */
  playsOver?(): boolean
  close(): Promise<void>
  /** The kind of the speaker that plays, of a driver that chooses one. */
  place?(): string
}

export interface ShownAlarm {
  id: string
  text: string
}

export interface PlayOptions {
  signal: AbortSignal
  /** 0 to 100: percent of the amplitude, so 50 is 6 dB below the sound as it was made. */
  volume: number
  /** A sound of a play node, over which the speaker may play an announcement. Default: it is an announcement. */
  isMusic?: boolean
  /** The spoken text, for a speaker that has a display. */
  text?: string
  /** Called when the first sample is heard, as far as the speaker reports it. */
  onFirstSound(): void
  /** Sends a message with the address of the sound to the nodes that play it. */
  handOut(message: Record<string, unknown>): void
}

export interface Played {
  /** What shows that the sound was heard: the speaker, the end of the program that played it, or its duration. */
  confirmedBy: 'player' | 'process' | 'duration'
}
