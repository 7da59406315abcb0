import type { SpeechService, Spending } from '../../../runtime/speech-service.ts'
import { charactersOf, type TextPart } from './text-parts.ts'

/** What is saved of a text, and says what of it is paid. */
interface PaidParts {
  readonly parts: readonly TextPart[]
  /** The names of the jobs of the first parts. */
  readonly jobNames: readonly string[]
  /** The seconds of audio that the budget has counted. Default: 0. */
  countedSeconds?: number
}

interface LongTextSpendingOptions {
  /** Whether the text has begun before a restart, when the budget sufficed for it. */
  isBegun: boolean
  /** Called when more is counted of the saved text. */
  save(): void
}

/** What a long text spends of the budget of its service. Each part counts once, also if it arrives again after a restart. */
export class LongTextSpending {
  readonly #saved: PaidParts
  readonly #options: LongTextSpendingOptions
  #spending: Spending | undefined

  constructor(saved: PaidParts, options: LongTextSpendingOptions) {
    this.#saved = saved
    this.#options = options
  }

  /**
   * Reserves the budget for the parts that are not submitted yet. A text that has begun is spoken to its end: without its last part,
   * the others would be paid in vain.
   * @throws {BudgetError} if the budget does not suffice for a text that has not begun.
   */
  reserve(service: SpeechService): void {
    const { parts, jobNames } = this.#saved
    const rest = parts.slice(jobNames.length)
    const needs = { characters: charactersOf(rest), requests: rest.length }
    this.#spending = service.reserveBudget(needs, this.#options.isBegun)
  }

  /** Counts a part that the service has accepted. */
  count(index: number): void {
    const { text } = this.#saved.parts[index]!
    this.#spending?.count({ characters: text.length, requests: 1 })
  }

  /** Counts the audio of the first parts, from the beginning of the text. */
  countAudio(seconds: number): void {
    const { countedSeconds = 0 } = this.#saved
    if (!this.#spending || seconds <= countedSeconds) return
    this.#spending.count({ seconds: seconds - countedSeconds })
    this.#saved.countedSeconds = seconds
    this.#options.save()
  }

  /** Called when nothing is submitted any more. */
  end(): void {
    this.#spending?.end()
  }
}
