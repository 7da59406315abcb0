import { durationText, minShare, percentOf, type SpeechProgress } from '../progress.ts'

/** The progress of a job, and how long the rest will take: from how far the job was when this Node-RED first asked. */
export class LongTextProgress {
  #first: { spoken: number; atMs: number } | undefined

  /** @returns nothing until enough is spoken for an estimate of the time. */
  update(spoken: number, textCharacters: number, atMs: number): SpeechProgress | undefined {
    if (spoken === 0) return undefined
    this.#first ??= { spoken, atMs }
    const done = spoken - this.#first.spoken
    if (done < textCharacters * minShare) return undefined
    const leftMs = ((atMs - this.#first.atMs) / done) * (textCharacters - spoken)
    return { percent: percentOf(spoken, textCharacters), left: durationText(leftMs / 1000) }
  }
}
