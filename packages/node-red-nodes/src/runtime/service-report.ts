/** What a budget limits. The seconds are those of audio. */
export type Spendable = 'characters' | 'seconds' | 'requests'

export type BudgetPeriod = 'day' | 'month'

/** A limit of a budget, and how much of it is spent. */
export interface BudgetState {
  what: Spendable
  period: BudgetPeriod
  max: number
  used: number
  /** What kept sound has spared. */
  spared: number
}

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
export interface ServiceReport extends KeptFigures {
  /** Absent in Redis. */
  sounds?: number
  bytes?: number
  budget: BudgetState[]
}
