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

/** What the next requests for speech need of the budget. The seconds of their audio are not known yet. */
export type BudgetNeeds = Record<Exclude<Spendable, 'seconds'>, number>

/** Requests for speech in progress, for which budget is reserved. */
export interface Spending {
  /** Counts what is spent, which is then not reserved any more. Also after the end. */
  count(spent: Partial<Record<Spendable, number>>): void
  /** Called at their end: nothing is reserved any more. */
  end(): void
}
