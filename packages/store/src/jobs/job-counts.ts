import type { JobEntry, JobTotals } from './job-store.ts'

/** Counts the jobs of one process, so that a new one needs no look at all of them. */
export class JobCounts {
  readonly #all: JobTotals = { bytes: 0, unfinished: 0 }
  readonly #ofOwners = new Map<string, JobTotals>()

  /** @param entry instead of `previous`; without an entry, the job is gone. */
  change(previous: JobEntry | undefined, entry: JobEntry | undefined): void {
    if (previous) this.#add(previous, -1)
    if (entry) this.#add(entry, 1)
  }

  of(owner: string): { all: JobTotals; ofOwner: JobTotals } {
    const ofOwner = this.#ofOwners.get(owner) ?? { bytes: 0, unfinished: 0 }
    return { all: { ...this.#all }, ofOwner: { ...ofOwner } }
  }

  #add({ owner, bytes, hasEnded }: JobEntry, sign: 1 | -1): void {
    const ofOwner = this.#ofOwners.get(owner) ?? { bytes: 0, unfinished: 0 }
    for (const totals of [this.#all, ofOwner]) {
      totals.bytes += sign * bytes
      totals.unfinished += hasEnded ? 0 : sign
    }
    if (ofOwner.bytes === 0 && ofOwner.unfinished === 0) this.#ofOwners.delete(owner)
    else this.#ofOwners.set(owner, ofOwner)
  }
}
