import { readFileSync } from 'node:fs'
import type { BudgetPeriod } from '../runtime/service-report.ts'
import { isPlainObject } from '../runtime/settings.ts'
import { createSavedFile, type SavedFile } from '../saved/saved-file.ts'
import { budgetPeriods, periodName } from './budget-periods.ts'

/** What a service has spent, and what kept sound has spared it. */
export interface Amounts {
  characters: number
  /** Seconds of audio. */
  seconds: number
  requests: number
  savedCharacters: number
  savedSeconds: number
  savedRequests: number
}

/** The amounts of a day or of a month, and what was reported about them. */
export interface PeriodCount {
  /** The name of a period, such as 2026-11-27 or 2026-11. */
  name: string
  amounts: Amounts
  /** The notices that were sent, such as `characters 80`. */
  noticed: string[]
}

type ServiceCounts = Record<BudgetPeriod, PeriodCount>

export const zeroAmounts: Readonly<Amounts> = {
  characters: 0,
  seconds: 0,
  requests: 0,
  savedCharacters: 0,
  savedSeconds: 0,
  savedRequests: 0,
}

/** The counts of all services, in a small file. */
export class BudgetFile {
  readonly #path: string
  readonly #onError: (error: Error) => void
  #counts: Record<string, Partial<ServiceCounts>> | undefined
  readonly #file: SavedFile

  /** @param onError called when counts cannot be saved. They work nevertheless, until a restart. */
  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path
    this.#onError = onError
    this.#file = createSavedFile(path, () => JSON.stringify(this.#counts), onError)
  }

  /** The counts of a service, which begin again with each day and each month. */
  of(serviceId: string, period: BudgetPeriod): PeriodCount {
    this.#counts ??= this.#read()
    this.#counts[serviceId] ??= {}
    const own = this.#counts[serviceId]
    const name = periodName(period)
    const current = own[period]
    if (current?.name === name) return current
    const fresh = { name, amounts: { ...zeroAmounts }, noticed: [] }
    own[period] = fresh
    return fresh
  }

  /** Saves what has changed. */
  change(): void {
    this.#file.change()
  }

  /** Removes the counts of services. */
  removeOf(isTheirs: (serviceId: string) => boolean): void {
    this.#counts ??= this.#read()
    const theirs = Object.keys(this.#counts).filter(isTheirs)
    for (const serviceId of theirs) delete this.#counts[serviceId]
    if (theirs.length > 0) this.change()
  }

  /** Resolves when the file has all changes. */
  flush(): Promise<void> {
    return this.#file.flush()
  }

  #read(): Record<string, Partial<ServiceCounts>> {
    try {
      return readCounts(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'ENOTDIR'].includes(code)) this.#onError(error as Error)
      return {}
    }
  }
}

/** Reads the counts of a file that somebody may have changed: a value that is no amount counts nothing. */
function readCounts(saved: unknown): Record<string, Partial<ServiceCounts>> {
  const services = Object.entries(objectOf(saved)).map(([serviceId, counts]) => {
    const periods = budgetPeriods.flatMap((period) => {
      const { name, amounts, noticed } = objectOf(objectOf(counts)[period])
      if (typeof name !== 'string') return []
      const notices = Array.isArray(noticed) ? noticed.map(String) : []
      return [[period, { name, amounts: readAmounts(amounts), noticed: notices }] as const]
    })
    return [serviceId, Object.fromEntries(periods)] as const
  })
  return Object.fromEntries(services)
}

function readAmounts(saved: unknown): Amounts {
  const amounts = { ...zeroAmounts }
  for (const what of Object.keys(amounts) as (keyof Amounts)[]) {
    const amount = objectOf(saved)[what]
    if (Number.isFinite(amount) && Number(amount) >= 0) amounts[what] = Number(amount)
  }
  return amounts
}

function objectOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {}
}
