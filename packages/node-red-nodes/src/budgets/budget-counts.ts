import { readFileSync } from 'node:fs'
import type { SharedCounters } from '@parlando/store'
import { isPlainObject } from '../runtime/settings.ts'
import { createSavedFile, type SavedFile } from '../saved/saved-file.ts'
import type { BudgetPeriod } from '../shared/budget-state.ts'

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
interface PeriodCount {
  /** Such as 2026-11-27, or 2026-11. */
  name: string
  amounts: Amounts
  /** The notices that were sent, such as `characters 80`. */
  noticed: string[]
}

type ServiceCounts = Record<BudgetPeriod, PeriodCount>

const nothing: Readonly<Amounts> = {
  characters: 0,
  seconds: 0,
  requests: 0,
  savedCharacters: 0,
  savedSeconds: 0,
  savedRequests: 0,
}
/** A little longer than the period. */
const expiresInSeconds = { day: 2 * 86_400, month: 33 * 86_400 }
const periods = ['day', 'month'] as const

/** The name of the day or the month, in the time zone of this machine. */
function nameOf(period: BudgetPeriod): string {
  const now = new Date()
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    ...(period === 'day' ? [now.getDate()] : []),
  ]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
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
    const name = nameOf(period)
    const current = own[period]
    if (current?.name === name && isPlainObject(current.amounts)) {
      current.amounts = { ...nothing, ...current.amounts }
      current.noticed ??= []
      return current
    }
    const fresh = { name, amounts: { ...nothing }, noticed: [] }
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
      day: { name: nameOf('day'), amounts: { ...nothing } },
      month: { name: nameOf('month'), amounts: { ...nothing } },
    }
    this.#send()
  }

  of(period: BudgetPeriod): PeriodCount {
    const { file, serviceId } = this.#options
    return file.of(serviceId, period)
  }

  add(amounts: Partial<Amounts>): void {
    for (const period of periods) {
      const count = this.of(period)
      if (this.#unsent[period].name !== count.name) {
        this.#unsent[period] = { name: count.name, amounts: { ...nothing } }
      }
      for (const [what, amount = 0] of Object.entries(amounts)) {
        count.amounts[what as keyof Amounts] += amount
        this.#unsent[period].amounts[what as keyof Amounts] += amount
      }
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
    return periods.some((period) =>
      Object.values(this.#unsent[period].amounts).some((amount) => amount > 0),
    )
  }

  /** Adds what is new to the shared counts, and takes over their sums. @returns false if there are none, or they did not respond. */
  async #exchange(): Promise<boolean> {
    const shared = await this.#options.shared
    if (!shared) return false
    let isDone = true
    for (const period of periods) {
      const { name, amounts } = this.#unsent[period]
      this.#unsent[period] = { name, amounts: { ...nothing } }
      const key = `${this.#options.sharedName}:${name}`
      const sums = await shared.add(key, { ...amounts }, expiresInSeconds[period])
      isDone &&= sums !== undefined
      const count = this.of(period)
      const later = this.#unsent[period]
      if (later.name !== name || count.name !== name) continue
      for (const what of Object.keys(nothing) as (keyof Amounts)[]) {
        // What was spent before Redis was chosen, or just before a restart while it was away, is only here.
        if (sums)
          count.amounts[what] = Math.max(count.amounts[what], sums[what]! + later.amounts[what])
        else later.amounts[what] += amounts[what]
      }
    }
    return isDone
  }
}
