import type { SharedCounters } from '@parlando/store'
import type { BudgetPeriod } from '../runtime/service-report.ts'
import { type Amounts, type BudgetFile, type PeriodCount, zeroAmounts } from './budget-file.ts'
import { budgetPeriods, expiresInSeconds, periodName } from './budget-periods.ts'

export interface BudgetCountsOptions {
  file: BudgetFile
  serviceId: string
  /** What all who share a budget have in common. */
  sharedName: string
  /** Where several processes count together; nothing: only here. */
  shared: Promise<SharedCounters | undefined>
}

/** Counts for one service: over restarts in the file, and together with other processes where there is Redis. */
export class BudgetCounts {
  readonly #options: BudgetCountsOptions
  /** What Redis has not counted yet. */
  readonly #unsent: Record<BudgetPeriod, { name: string; amounts: Amounts }>
  #sending: Promise<void> | undefined

  constructor(options: BudgetCountsOptions) {
    this.#options = options
    this.#unsent = {
      day: { name: periodName('day'), amounts: { ...zeroAmounts } },
      month: { name: periodName('month'), amounts: { ...zeroAmounts } },
    }
    this.#send()
  }

  of(period: BudgetPeriod): PeriodCount {
    const { file, serviceId } = this.#options
    return file.of(serviceId, period)
  }

  add(amounts: Partial<Amounts>): void {
    for (const period of budgetPeriods) {
      const count = this.of(period)
      if (this.#unsent[period].name !== count.name) {
        this.#unsent[period] = { name: count.name, amounts: { ...zeroAmounts } }
      }
      addTo(count.amounts, amounts)
      addTo(this.#unsent[period].amounts, amounts)
    }
    this.#options.file.change()
    this.#send()
  }

  /** Saves a notice. @returns whether it was not sent before. */
  notice(period: BudgetPeriod, notice: string): boolean {
    const { noticed } = this.of(period)
    if (noticed.includes(notice)) return false
    noticed.push(notice)
    this.#options.file.change()
    return true
  }

  /** Lets Redis count the rest first. */
  async close(): Promise<void> {
    while (this.#sending) await this.#sending
    await (await this.#options.shared)?.close()
    await this.#options.file.flush()
  }

  #send(): void {
    this.#sending ??= this.#exchange().then((isDone) => {
      this.#sending = undefined
      // What was added meanwhile. If Redis is away, it waits for the next amounts.
      if (isDone && this.#hasUnsent) this.#send()
    })
  }

  get #hasUnsent(): boolean {
    return budgetPeriods.some((period) =>
      Object.values(this.#unsent[period].amounts).some((amount) => amount > 0),
    )
  }

  /** @returns false if there are no shared counts, or they did not respond. */
  async #exchange(): Promise<boolean> {
    const shared = await this.#options.shared
    if (!shared) return false
    let isDone = true
    for (const period of budgetPeriods) {
      const isExchanged = await this.#exchangePeriod(shared, period)
      isDone &&= isExchanged
    }
    return isDone
  }

  /**
   * Adds what is new to the shared count, and takes over its sum. A count never falls: what was spent before Redis was chosen, or
   * just before a restart while it was away, is only here. Nothing is lost: what Redis has not counted is added again next time.
   */
  async #exchangePeriod(shared: SharedCounters, period: BudgetPeriod): Promise<boolean> {
    const { name, amounts } = this.#unsent[period]
    this.#unsent[period] = { name, amounts: { ...zeroAmounts } }
    const key = `${this.#options.sharedName}:${name}`
    const sums = await shared.add(key, { ...amounts }, expiresInSeconds[period])
    const count = this.of(period)
    const later = this.#unsent[period]
    const isCurrent = later.name === name && count.name === name
    if (isCurrent && sums) raiseTo(count.amounts, sums, later.amounts)
    else if (isCurrent) addTo(later.amounts, amounts)
    return sums !== undefined
  }
}

const amountNames = Object.keys(zeroAmounts) as (keyof Amounts)[]

function addTo(amounts: Amounts, more: Partial<Amounts>): void {
  for (const what of amountNames) amounts[what] += more[what] ?? 0
}

/** @param later what was added while Redis added up the sums. */
function raiseTo(amounts: Amounts, sums: Readonly<Record<string, number>>, later: Amounts): void {
  for (const what of amountNames) {
    amounts[what] = Math.max(amounts[what], sums[what]! + later[what])
  }
}
