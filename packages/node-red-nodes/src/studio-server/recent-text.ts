/** Published to the editors, without a text, when a service has spoken. */
export const recentSpeechTopic = 'parlando/recent-speech'

/** A text that a service spoke, as the studio shows it. */
export interface RecentText {
  id: string
  /** When it was requested, in milliseconds since 1970. */
  atMs: number
  /** The name of the service; empty: this device. */
  service: string
  /** The text, of at most `maxTextCharacters`. */
  text: string
  voiceId: string
  modelId: string
  /** The time from the request to the first audio. Absent if the service sent none. */
  firstAudioMs?: number
  /** The time from the request to the last audio. */
  totalMs: number
  /** Seconds of audio. Absent where the bytes do not show it. */
  seconds?: number
  /** How many sentences of it were spoken, if it is spoken sentence by sentence. Then `text` and all other figures but the cost are of the last one. */
  sentences?: number
  /** What the service charges for; 0 for speech that was kept. Absent on this device, which charges nothing. */
  charactersCharged?: number
  /** Whether the sound was made before, for another message. */
  isKept: boolean
  /** Whether it was spoken to its end. */
  isComplete: boolean
  /** Whether its sound is still in memory. */
  hasSound: boolean
}
