import type { Microphone } from '../microphones/microphone.ts'
import type { Sound, SoundFormat } from '../sounds/sound.ts'
import type { ReadingDisplay, SpeakerDisplay } from './display.ts'

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
   * @param control is called when somebody presses a button of one.
   */
  showAlarms?(alarms: readonly ShownAlarm[], control: AlarmControl): void
  /**
   * Records next to the speaker what somebody says to an announcement, until the signal aborts. Absent: it cannot, or its form
   * does not allow it.
   * @param onPcm receives 16 kHz, mono, signed 16 bits, and which of several microphones they are from.
   * @throws if there is no microphone.
   */
  hearCommands?(
    onPcm: (pcm: Buffer, microphone: string) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Shows questions and what was heard, for a speaker that has a display with buttons. */
  display?: SpeakerDisplay
  /** Shows texts that are read aloud, for a speaker that has such a display. */
  readingDisplay?: ReadingDisplay
  /** Whether it shows the words of a text while they are said. Default: no. */
  showsWords?: boolean
  /** The microphone that hears the answers to a question. Default: it has none. */
  questionMicrophone?: Microphone
  /** Whether an announcement can play over the sound of a play node now. Default: they take turns. */
  playsOver?(): boolean
  close(): Promise<void>
  /** The kind of the speaker that plays, of a driver that chooses one. */
  place?(): string
}

export interface ShownAlarm {
  id: string
  text: string
  /** If it was postponed: when it is said again, in ms since 1970. */
  againAt?: number
}

/** The buttons of an alarm. */
export const alarmActions = ['acknowledge', 'later'] as const
export type AlarmAction = (typeof alarmActions)[number]
export type AlarmControl = (id: string, action: AlarmAction) => void

export interface PlayOptions {
  signal: AbortSignal
  /** 0 to 100: percent of the amplitude, so 50 is 6 dB below the sound as it was made. */
  volume: number
  /** A sound of a play node, over which the speaker may play an announcement. Default: it is an announcement. */
  isMusic?: boolean
  /** The spoken text, for a speaker that has a display. */
  text?: string
  /** Called when the first sample is heard, as far as the speaker reports it. Further calls have no effect. */
  onFirstSound(): void
  /** Sends a message with the address of the sound to the nodes that play it. */
  handOut(message: Record<string, unknown>): void
}

export interface Played {
  /** What shows that the sound was heard: the speaker, the end of the program that played it, or its duration. */
  confirmedBy: 'player' | 'process' | 'duration'
  /** Why one of several devices has not played it. */
  warning?: string
}
