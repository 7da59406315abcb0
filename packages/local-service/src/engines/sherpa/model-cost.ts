import type { PhraseCost } from '../process/run-speaker.ts'

/** Shorter sounds say little about the speed. */
const minMeasuredSeconds = 0.5
/** How much a phrase counts against all earlier ones. */
const weightOfPhrase = 0.3

/** What a model takes, as measured by its phrases. */
export class ModelCost {
  memoryBytes: number
  /** The time of the work for a second of sound. Recent phrases count most. */
  realTimeFactor: number | undefined

  /** @param memoryBytes an estimate. */
  constructor(memoryBytes: number) {
    this.memoryBytes = memoryBytes
  }

  /** Takes note of what a phrase took. */
  note({ memoryBytes, workSeconds }: PhraseCost, soundSeconds: number): void {
    this.memoryBytes = memoryBytes
    if (soundSeconds < minMeasuredSeconds) return
    const factor = workSeconds / soundSeconds
    const former = this.realTimeFactor ?? factor
    this.realTimeFactor = former + weightOfPhrase * (factor - former)
  }
}
