/** When a turn of the user ends. A hand-written flow may leave each out. */
export interface EndOfTurnSettings {
  endOfTurn?: 'quick' | 'normal' | 'relaxed' | 'silence' | 'recording'
  /** For `silence`. */
  silenceMs?: string | number
}

/** The silence that ends a turn, in milliseconds. 300 cuts the end of some words. */
const silences = { quick: 300, normal: undefined, relaxed: 1000 } as const

/** The silence that ends a turn. `Infinity`: only the end of the recording does. `undefined`: a normal pause. */
export function readSilenceMs({ endOfTurn, silenceMs }: EndOfTurnSettings): number | undefined {
  if (endOfTurn === 'recording') return Number.POSITIVE_INFINITY
  if (endOfTurn === 'silence') return Number(silenceMs) || undefined
  return endOfTurn && silences[endOfTurn]
}
