/** Something that turns text into sound on this machine. Every engine lives in a folder of its own. */
export interface Engine {
  readonly name: string
  /** Rate of the samples it makes. */
  readonly sampleRateHertz: number
  /** The names it gives its voices. */
  readonly voices: readonly string[]
  /** @returns why it cannot speak the text, as a sentence for the caller; `undefined` when it can. */
  refusalOf(text: string): string | undefined
  /**
   * Speaks one phrase of a few words. What runs at once is the scheduler's business.
   * @returns mono samples, −1…1, with the silence that the voice puts around the phrase.
   * @throws {Error} when the engine fails; it is ready for the next phrase all the same.
   */
  speakPhrase(voice: string, phrase: string): Promise<Float32Array>
  /** Ends what runs and frees threads and memory. */
  close(): Promise<void>
}
