/** When a turn of the user ends. A hand-written flow may leave each out. */
export interface EndOfTurnSettings {
  endOfTurn?: 'quick' | 'normal' | 'understands' | 'relaxed' | 'silence' | 'recording'
  /** The silence that ends a turn, if `endOfTurn` is `silence`. */
  silenceMs?: string | number
}

/** The silence that ends a turn, in milliseconds. 300 cuts the end of some words. */
const silences = { quick: 300, normal: undefined, understands: 1000, relaxed: 1000 } as const
/** This is the shortest silence that a service can judge. */
const completeSilenceMs = 200

/** The silence that ends a turn. `Infinity`: only the end of the recording does. `undefined`: a normal pause. */
export function readSilenceMs({ endOfTurn, silenceMs }: EndOfTurnSettings): number | undefined {
  if (endOfTurn === 'recording') return Number.POSITIVE_INFINITY
  if (endOfTurn === 'silence') return Number(silenceMs) || undefined
  return endOfTurn && silences[endOfTurn]
}

/** Whether a turn that sounds complete ends sooner, if the service can hear that. */
export function understandsTurns({ endOfTurn }: EndOfTurnSettings): boolean {
  return endOfTurn === 'understands'
}

/** The silence that ends a turn that sounds complete. Default: it does not matter how a turn sounds. */
export function readCompleteSilenceMs(settings: EndOfTurnSettings): number | undefined {
  return understandsTurns(settings) ? completeSilenceMs : readSilenceMs(settings)
}
