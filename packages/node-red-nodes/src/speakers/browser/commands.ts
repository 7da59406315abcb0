/** What the server sends to the browsers of a speaker. */
export type BrowserCommand =
  /** Asks who is there. */
  | { type: 'probe'; id: string }
  /** Asks who can play a sound, which is raw PCM: signed, 16 bits, little-endian, mono. */
  | {
      type: 'offer'
      id: string
      sampleRateHertz: number
      /** 0 to 100: percent of the amplitude. */
      volume: number
      /** The spoken text; empty for a sound without words. */
      text: string
      /** Whether it turns the other sounds of the browser down. Absent: no. */
      softens?: true
    }
  /** Silence at once. */
  | { type: 'stop'; id: string }

/** The alarms of a speaker that somebody must acknowledge, for its page. */
export interface AlarmsMessage {
  type: 'alarms'
  alarms: readonly { id: string; text: string }[]
}

/** The topic of the editor's own connection on which it receives them. */
export const editorTopic = 'parlando/speaker'

/**
 * What a browser reports about a probe or an offer. `ready`: it can play; the response says whether it is to play. `hidden`:
 * the same, in a tab that nobody sees. `locked`: the browser allows no sound until somebody has clicked. `unlocked`: it allows
 * sound from now on; this report has no id. The others follow the playback.
 */
export const browserEvents = [
  'ready',
  'hidden',
  'locked',
  'unlocked',
  'started',
  'ended',
  'failed',
] as const
export type BrowserEvent = (typeof browserEvents)[number]
