/** When a turn of a speaker begins and ends. One rule for all interfaces, whose own settings are mapped onto it. */
export interface TurnRule {
  /**
   * `false`: no detection. A turn begins with the first sample and ends when the caller says so.
   */
  detectsSpeech: boolean
  /** The silence that ends a turn. Below 500 ms, speakers are cut off in short pauses. */
  silenceMs: number
  /** How much audio before the first voiced sound belongs to the turn: soft beginnings. With less than 300 ms, words are cut. */
  prefixMs: number
  /** How far speech must exceed the background, from 0 (a little) to 1 (much). */
  threshold: number
  /** A longer turn is split. */
  maxTurnMs: number
}

export const defaultTurnRule: TurnRule = {
  detectsSpeech: true,
  silenceMs: 500,
  prefixMs: 300,
  threshold: 0.5,
  maxTurnMs: 30_000,
}
