import { readFileSync } from 'node:fs'
import { isPlainObject } from '../runtime/settings.ts'
import { createSavedFile, type SavedFile } from '../saved/saved-file.ts'
import type { BudgetPeriod } from '../shared/budget-state.ts'
import { periodName } from './budget-periods.ts'

/** What a service has spent, and what kept sound has spared it. */
export interface Amounts {
  characters: number
  /** Of audio. */
  seconds: number
  requests: number
  savedCharacters: number
  savedSeconds: number
  savedRequests: number
}

/** The amounts of a day or of a month, and what was reported about them. */
export interface PeriodCount {
  /** Such as 2026-11-27, or 2026-11. */
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
    const counts = this.#counts
    if (!isPlainObject(counts[serviceId])) counts[serviceId] = {}
    const own = counts[serviceId]!
    const name = periodName(period)
    const current = own[period]
    if (current?.name === name && isPlainObject(current.amounts)) {
      current.amounts = { ...zeroAmounts, ...current.amounts }
      current.noticed ??= []
      return current
    }
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
      const saved: unknown = JSON.parse(readFileSync(this.#path, 'utf8'))
      return isPlainObject(saved) ? (saved as Record<string, Partial<ServiceCounts>>) : {}
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'ENOTDIR'].includes(code)) this.#onError(error as Error)
      return {}
    }
  }
}
