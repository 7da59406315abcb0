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
