/** The further attempts of one job, whose texts share them: a voice that is away would otherwise hold up all other jobs once for each text. */
export class Retries {
  readonly #delaysMs: readonly number[]
  /** Voices with which a text was not spoken since. */
  readonly #away = new Set<string>()
  #used = 0

  /** @param delaysMs before each of the attempts. */
  constructor(delaysMs: readonly number[]) {
    this.#delaysMs = delaysMs
  }

  /** @returns how long to wait before a further attempt with a voice, if there is one left. */
  next(voiceId: string): number | undefined {
    this.#away.add(voiceId)
    return this.#delaysMs[this.#used++]
  }

  /** A voice that is back gives the attempts back. One that was there all the time does not: another one is still away. */
  noteSpoken(voiceId: string): void {
    if (this.#away.delete(voiceId)) this.#used = 0
  }
}
