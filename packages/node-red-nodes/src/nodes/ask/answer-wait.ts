import type { Recognised } from '../../recognition/recognised.ts'
import type { Buttons } from './answer-buttons.ts'
import { judgeTurn, type Outcome, type RecognisedTurn } from './match-answer.ts'
import type { Question } from './read-question.ts'

/** Somebody who has said something that is none of the answers gets this time for another try. */
const afterUnclearMs = 3000
/** The time for what somebody says, and for the recogniser of a slow machine. */
const maxTurnMs = 30_000

/** The wait for an answer to a question that is said once: the last transcript, and how long somebody may still answer. */
export class AnswerWait {
  /** Resolves when somebody says an answer. */
  readonly answered: Promise<Outcome>
  readonly #question: Question
  readonly #buttons: Buttons
  readonly #timer: ReturnType<typeof createAnswerTimer>
  #answer = (_outcome: Outcome) => {}
  #beganWhileSaying = false
  /** What was said last, and is none of the answers. */
  #unclear: RecognisedTurn | undefined

  /** @param buttons show each transcript. */
  constructor(question: Question, buttons: Buttons) {
    this.#question = question
    this.#buttons = buttons
    this.#timer = createAnswerTimer(question.waitMs)
    this.answered = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  /** Somebody begins to speak. */
  readonly onSpeech = (beganWhileSaying: boolean) => {
    this.#beganWhileSaying = beganWhileSaying
    this.#timer.begin()
  }

  /**
   * Somebody has said something.
   * @param isVoice whether it was not the sound that the microphone removes.
   */
  readonly onTurn = (recognised: Recognised, isVoice: boolean) => {
    const facts = { isVoice, beganWhileSaying: this.#beganWhileSaying }
    const { turn, is } = judgeTurn(recognised, this.#question, facts)
    if (is === 'nothing') return this.#timer.end(this.#question.waitMs)
    this.#buttons.showTurn(turn)
    if (is === 'answer') return this.#answer({ answer: turn.answer, by: 'voice', turn })
    this.#unclear = turn
    this.#timer.end(afterUnclearMs)
  }

  /** To be called when the question was said. Resolves when the time for answers is over, with what was said last. */
  async untilOver(): Promise<Outcome> {
    await this.#timer.over()
    return { ...(this.#unclear && { turn: this.#unclear }) }
  }

  close(): void {
    this.#timer.close()
  }
}

/** Waits for the start of an answer, and for the transcript of one that has begun. */
function createAnswerTimer(waitMs: number) {
  /** Before, the question is still said. */
  let endsAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let hasBegun = false
  let resolve = () => {}
  const over = new Promise<void>((done) => {
    resolve = done
  })
  const schedule = () => {
    clearTimeout(timer)
    if (endsAt === Number.POSITIVE_INFINITY) return
    const restMs = Math.max(0, endsAt - performance.now())
    timer = setTimeout(resolve, hasBegun ? restMs + maxTurnMs : restMs)
  }
  return {
    /** Begins to wait. */
    over() {
      endsAt = performance.now() + waitMs
      schedule()
      return over
    },
    /** Somebody begins to speak. */
    begin() {
      hasBegun = true
      schedule()
    },
    /** What was said is known. @param restMs how long to wait for something else, at most. */
    end(restMs: number) {
      hasBegun = false
      if (endsAt < Number.POSITIVE_INFINITY) endsAt = Math.min(endsAt, performance.now() + restMs)
      schedule()
    },
    close() {
      clearTimeout(timer)
      resolve()
    },
  }
}
