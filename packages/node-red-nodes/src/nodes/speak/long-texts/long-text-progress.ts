import { durationText, minShare } from '../progress.ts'

/** How long the rest of a job will take: from how far the job was when this Node-RED first asked. */
export class LongTextProgress {
  #first: { spoken: number; atMs: number } | undefined

  /** @returns nothing until enough is spoken for an estimate. */
  timeLeft(spoken: number, textCharacters: number, atMs: number): string | undefined {
    if (spoken === 0) return undefined
    this.#first ??= { spoken, atMs }
    const done = spoken - this.#first.spoken
    if (done < textCharacters * minShare) return undefined
    const leftMs = ((atMs - this.#first.atMs) / done) * (textCharacters - spoken)
    return durationText(leftMs / 1000)
  }
}
