import type { NodeAPI } from 'node-red'
import { BudgetError } from '../runtime/failure.ts'
import type { BudgetState, Spendable } from '../runtime/service-report.ts'
import { readSettings } from '../runtime/settings.ts'
import type { BudgetNeeds, Spending } from '../runtime/speech-service.ts'
import type { BudgetCounts } from './budget-counts.ts'

/** Limits of the form: numbers, often as text; empty: none. */
export interface BudgetSettings {
  charactersPerDay?: string | number
  charactersPerMonth?: string | number
  secondsPerDay?: string | number
  secondsPerMonth?: string | number
  requestsPerDay?: string | number
  requestsPerMonth?: string | number
}

export type BudgetLimit = Pick<BudgetState, 'what' | 'period' | 'max'>

const table = {
  charactersPerDay: { form: 'charactersPerDay', isNumber: true },
  charactersPerMonth: { form: 'charactersPerMonth', isNumber: true },
  secondsPerDay: { form: 'secondsPerDay', isNumber: true },
  secondsPerMonth: { form: 'secondsPerMonth', isNumber: true },
  requestsPerDay: { form: 'requestsPerDay', isNumber: true },
  requestsPerMonth: { form: 'requestsPerMonth', isNumber: true },
} as const

const noticeShares = [1, 0.8]
/** What is known of a request before its speech. */
const reservable = ['characters', 'requests'] as const
/** The names in the file and in Redis. */
const sparedNames = {
  characters: 'savedCharacters',
  seconds: 'savedSeconds',
  requests: 'savedRequests',
} as const

/** The limits that a form has. A value that is not a positive number is none. */
export function readLimits(settings: BudgetSettings): BudgetLimit[] {
  const values = readSettings({}, settings, table)
  const limits = (['characters', 'seconds', 'requests'] as const).flatMap((what) => [
    { what, period: 'day' as const, max: values[`${what}PerDay`] ?? 0 },
    { what, period: 'month' as const, max: values[`${what}PerMonth`] ?? 0 },
  ])
  return limits.filter(({ max }) => max > 0)
}

export interface BudgetOptions {
  limits: readonly BudgetLimit[]
  counts: BudgetCounts
  /** Called with a sentence when 80 % are spent, and when all is spent. */
  onNotice(sentence: string): void
}

/** What a service may spend in a day and in a month. */
export class Budget {
  readonly #RED: NodeAPI
  readonly #options: BudgetOptions
  /** What requests in progress have reserved. */
  readonly #reserved: Record<Spendable, number> = { characters: 0, seconds: 0, requests: 0 }

  constructor(RED: NodeAPI, options: BudgetOptions) {
    this.#RED = RED
    this.#options = options
  }

  /** How much of each limit is spent, requests in progress included. */
  get states(): BudgetState[] {
    return this.#options.limits.map((limit) => {
      const { amounts } = this.#options.counts.of(limit.period)
      const used = this.#spent(limit) + this.#reserved[limit.what]
      return { ...limit, used, spared: amounts[sparedNames[limit.what]] }
    })
  }

  /** The largest share that is spent: 1 is all. */
  get share(): number {
    return Math.max(0, ...this.states.map(({ used, max }) => used / max))
  }

  /**
   * Begins requests for speech.
   * @param mayExceed for an alarm, and for the rest of a text that has begun.
   * @throws {BudgetError} if the budget does not suffice for them.
   */
  begin(needs: BudgetNeeds, mayExceed: boolean): Spending {
    const rest = { ...needs, seconds: 0 }
    if (!mayExceed) this.#check(rest)
    for (const what of reservable) this.#reserved[what] += rest[what]
    const release = (amounts: Partial<BudgetNeeds>) => {
      for (const what of reservable) {
        const released = Math.min(rest[what], amounts[what] ?? 0)
        rest[what] -= released
        this.#reserved[what] -= released
      }
    }
    return {
      count: (amounts) => {
        release(amounts)
        this.#options.counts.add(amounts)
        this.#noticeAll()
      },
      end: () => release(rest),
    }
  }

  /** Counts what kept sound has spared. */
  noteSpared(characters: number, seconds: number): void {
    const spared = { savedCharacters: characters, savedSeconds: seconds, savedRequests: 1 }
    this.#options.counts.add(spared)
  }

  close(): Promise<void> {
    return this.#options.counts.close()
  }

  /** What is spent, without requests in progress, which may still fail. */
  #spent({ what, period }: BudgetLimit): number {
    return this.#options.counts.of(period).amounts[what]
  }

  /** @throws {BudgetError} if the budget does not suffice. */
  #check(needs: Record<Spendable, number>): void {
    const spent = this.#options.limits.find((limit) => this.#spent(limit) >= limit.max)
    if (spent) {
      this.#notice(spent, 1)
      throw new BudgetError(this.#sentence('spent', spent))
    }
    // A shorter text may still fit.
    const exceeded = this.states.find(({ what, used, max }) => used + needs[what] > max)
    if (!exceeded) return
    const { used, what } = exceeded
    throw new BudgetError(this.#sentence('insufficient', exceeded, { used, needed: needs[what] }))
  }

  /** Sends each notice once in its day or month. */
  #noticeAll(): void {
    for (const limit of this.#options.limits) {
      const share = noticeShares.find((one) => this.#spent(limit) / limit.max >= one)
      if (share) this.#notice(limit, share)
    }
  }

  #notice(limit: BudgetLimit, share: number): void {
    const isNew = this.#options.counts.notice(limit.period, `${limit.what} ${share}`)
    if (isNew) this.#options.onNotice(this.#sentence(share === 1 ? 'spent' : 'nearly-spent', limit))
  }

  #sentence(
    key: string,
    limit: BudgetLimit,
    { used, needed }: { used: number; needed?: number } = { used: this.#spent(limit) },
  ): string {
    const RED = this.#RED
    const { what, period, max } = limit
    return RED._(`service.budget.${key}`, {
      what: RED._(`service.budget.${what}`),
      period: RED._(`service.budget.${period}`),
      used: Math.round(used),
      max,
      ...(needed !== undefined && { needed }),
    })
  }
}
