/** When a turn of a speaker begins and ends. One rule for all interfaces, whose own settings are mapped onto it. */
export interface TurnRule {
  /**
   * `false`: no detection. A turn begins with the first sample and ends when the caller says so.
   */
  detectsSpeech: boolean
  /** The silence that ends a turn. Below 500 ms, speakers are cut off in short pauses. */
  silenceMs: number
  /**
   * How much audio before the first voiced sound belongs to the turn. With less than 300 ms, soft beginnings are cut; in loud
   * noise, with less than 400 ms.
   */
  prefixMs: number
  /** How far speech must exceed the background, from 0 (a little) to 1 (much). */
  threshold: number
  /** A longer turn is split. */
  maxTurnMs: number
}

export const defaultTurnRule: TurnRule = {
  detectsSpeech: true,
  silenceMs: 500,
  prefixMs: 400,
  threshold: 0.5,
  maxTurnMs: 30_000,
}

/** For speakers who think between two sentences. */
export const relaxedTurnRule: TurnRule = { ...defaultTurnRule, silenceMs: 1000 }

/** The settings of a transcription stream in the form of the hosted service. */
export interface StreamTurnSettings {
  minEndOfTurnSilenceWhenConfident?: number | undefined
  maxTurnSilence?: number | undefined
  vadThreshold?: number | undefined
}

/**
 * The detector knows sounds but not sentences, so it is never confident that a speaker has finished: a turn ends after the
 * default silence, or after the nearest one between the two limits.
 */
export function streamTurnRule(settings: StreamTurnSettings): TurnRule {
  const { minEndOfTurnSilenceWhenConfident = 0, vadThreshold = defaultTurnRule.threshold } =
    settings
  const { maxTurnSilence = Number.POSITIVE_INFINITY } = settings
  const silenceMs = Math.max(defaultTurnRule.silenceMs, minEndOfTurnSilenceWhenConfident)
  return {
    ...defaultTurnRule,
    detectsSpeech: vadThreshold > 0,
    silenceMs: Math.min(silenceMs, maxTurnSilence),
    threshold: vadThreshold,
  }
}

/** The turn detection of a session in the form of the OpenAI API. */
export type RealtimeTurnSettings =
  | {
      type: 'server_vad'
      threshold?: number | undefined
      prefix_padding_ms?: number | undefined
      silence_duration_ms?: number | undefined
    }
  | { type: 'semantic_vad'; eagerness?: 'low' | 'medium' | 'high' | 'auto' | undefined }

const maxPrefixMs = 5000

/**
 * OpenAI's `semantic_vad` waits for at most 8, 4 or 2 s, depending on its eagerness, and ends earlier when the sentence is
 * complete. Here, eagerness only chooses between two silences: the pause after a greeting has up to 450 ms, so a shorter
 * silence would end the turn too early. @param settings null: only the caller ends a turn.
 */
export function realtimeTurnRule(settings: RealtimeTurnSettings | null): TurnRule {
  if (!settings) return { ...defaultTurnRule, detectsSpeech: false }
  if (settings.type === 'semantic_vad') {
    return settings.eagerness === 'low' ? relaxedTurnRule : defaultTurnRule
  }
  const { prefix_padding_ms: prefixMs = defaultTurnRule.prefixMs } = settings
  return {
    ...defaultTurnRule,
    threshold: settings.threshold ?? defaultTurnRule.threshold,
    prefixMs: Math.min(prefixMs, maxPrefixMs),
    silenceMs: settings.silence_duration_ms ?? defaultTurnRule.silenceMs,
  }
}
