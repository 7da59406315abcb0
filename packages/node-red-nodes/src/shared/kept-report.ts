import type { BudgetState } from './budget-state.ts'

/** What was made once for several messages, since Node-RED started the flow. */
export interface KeptFigures {
  hits: number
  misses: number
  /** The characters of the hits. */
  savedCharacters: number
  /** The seconds of audio of the hits. */
  savedSeconds: number
}

/** What the form of a service shows about kept sound, and about the budget. */
export interface KeptReport extends KeptFigures {
  /** Absent in Redis. */
  sounds?: number
  bytes?: number
  budget: BudgetState[]
}
