import type { Microphone } from '../../microphones/microphone.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Buttons } from './answer-buttons.ts'

/** Where a question that is said once can be answered: at its own speakers, and at those that play in their place. */
export class QuestionPlaces {
  readonly #findOwn: () => readonly Speaker[]
  readonly #buttons: Buttons
  #own: readonly Speaker[] = []
  /** The ids of the speakers that have played it: a deploy may replace a speaker. */
  readonly #played = new Set<string>()

  /**
   * @param findOwn finds the speakers of the question, and throws if one no longer exists.
   * @param buttons are shown on these, and on those that have played it.
   */
  constructor(findOwn: () => readonly Speaker[], buttons: Buttons) {
    this.#findOwn = findOwn
    this.#buttons = buttons
  }

  /** Finds the speakers of the question, again after a deploy. */
  findSpeakers(): readonly Speaker[] {
    this.#own = this.#findOwn()
    this.#showButtons()
    return this.#own
  }

  /** A speaker begins to play it. */
  notePlaying({ id }: Speaker): void {
    this.#played.add(id)
    this.#showButtons()
  }

  /** The microphones of the speakers that have played it. If these have none: those of its own speakers. */
  findMicrophones(): Microphone[] {
    const own = this.findSpeakers()
    const microphones = microphonesOf(this.#findPlayed())
    return microphones.length > 0 ? microphones : microphonesOf(own)
  }

  #findPlayed(): Speaker[] {
    return withSubstitutes(this.#own).filter(({ id }) => this.#played.has(id))
  }

  #showButtons(): void {
    this.#buttons.showOn([...this.#own, ...this.#findPlayed()])
  }
}

/** Speakers, those that play in their place, those that play in the place of these, and so on. */
function withSubstitutes(speakers: readonly Speaker[]): Speaker[] {
  const all = new Set(speakers)
  // What is added meanwhile takes part.
  for (const speaker of all) for (const other of speaker.instead?.() ?? []) all.add(other)
  return [...all]
}

/** The microphones of the speakers, each once. */
export function microphonesOf(speakers: readonly Speaker[]): Microphone[] {
  return [...new Set(speakers.flatMap((speaker) => microphoneOf(speaker) ?? []))]
}

export function microphoneOf({ driver, questionMicrophone }: Speaker): Microphone | undefined {
  return questionMicrophone ?? driver.questionMicrophone
}
