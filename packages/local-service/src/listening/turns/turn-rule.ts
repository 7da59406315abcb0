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
  /** An end-of-turn model, if it is installed, judges each pause: `silenceMs` then ends only turns that seem not complete. */
  pauses?: PauseRule
}

export interface PauseRule {
  /** A turn that the model takes for complete ends after this much silence, or as soon as it has judged. */
  judgedAfterMs: number
  /** The silence that ends a turn without a judgement. */
  unjudgedSilenceMs: number
}

export const defaultTurnRule: TurnRule = {
  detectsSpeech: true,
  silenceMs: 500,
  prefixMs: 400,
  threshold: 0.5,
  maxTurnMs: 30_000,
}

/** The rule for speakers who think between two sentences. */
export const relaxedTurnRule: TurnRule = { ...defaultTurnRule, silenceMs: 1000 }

/** The rule for speakers who look for the next word, if a model hears whether a turn is complete. */
const patientSilenceMs = 2000

/** The end-of-turn model was trained with such pauses, and most people make them between two words without a breath. */
const shortestPauseMs = 200

/** The turn ends when it seems complete, or after this silence. Without a model, it follows `unjudged`. */
function understandingRule(
  unjudged: TurnRule,
  silenceMs: number,
  judgedAfterMs = shortestPauseMs,
): TurnRule {
  const pauses = { judgedAfterMs, unjudgedSilenceMs: unjudged.silenceMs }
  return { ...unjudged, silenceMs, pauses }
}

/** The rule where no end-of-turn model is installed. */
export function withoutModel({ pauses, ...rule }: TurnRule): TurnRule {
  return { ...rule, silenceMs: pauses?.unjudgedSilenceMs ?? rule.silenceMs }
}

/** The settings of a transcription stream in the form of the hosted service. */
export interface StreamTurnSettings {
  minEndOfTurnSilenceWhenConfident?: number | undefined
  maxTurnSilence?: number | undefined
  vadThreshold?: number | undefined
}

/**
 * With an end-of-turn model, a turn that seems complete ends after the first of the two limits, another one after the second one,
 * or 1 s. Without, it ends after the default silence, or after the nearest one between the two limits.
 */
export function streamTurnRule(settings: StreamTurnSettings): TurnRule {
  const { vadThreshold = defaultTurnRule.threshold, maxTurnSilence = Number.POSITIVE_INFINITY } =
    settings
  const { minEndOfTurnSilenceWhenConfident: completeMs = 0 } = settings
  const between = (silenceMs: number) => Math.min(Math.max(silenceMs, completeMs), maxTurnSilence)
  const unjudged = {
    ...defaultTurnRule,
    detectsSpeech: vadThreshold > 0,
    silenceMs: between(defaultTurnRule.silenceMs),
    threshold: vadThreshold,
  }
  const judgedAfterMs = Math.max(shortestPauseMs, completeMs)
  if (completeMs === 0 || judgedAfterMs >= unjudged.silenceMs) return unjudged
  return understandingRule(unjudged, between(relaxedTurnRule.silenceMs), judgedAfterMs)
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
 * complete. Here, it waits for 2 s or 1 s. Without an end-of-turn model, eagerness chooses between the relaxed and the default
 * silence: the pause after a greeting has up to 450 ms, so a shorter one would end the turn too early.
 * @param settings null: only the caller ends a turn.
 */
export function realtimeTurnRule(settings: RealtimeTurnSettings | null): TurnRule {
  if (!settings) return { ...defaultTurnRule, detectsSpeech: false }
  if (settings.type === 'semantic_vad') {
    return settings.eagerness === 'low'
      ? understandingRule(relaxedTurnRule, patientSilenceMs)
      : understandingRule(defaultTurnRule, relaxedTurnRule.silenceMs)
  }
  const { prefix_padding_ms: prefixMs = defaultTurnRule.prefixMs } = settings
  return {
    ...defaultTurnRule,
    threshold: settings.threshold ?? defaultTurnRule.threshold,
    prefixMs: Math.min(prefixMs, maxPrefixMs),
    silenceMs: settings.silence_duration_ms ?? defaultTurnRule.silenceMs,
  }
}
