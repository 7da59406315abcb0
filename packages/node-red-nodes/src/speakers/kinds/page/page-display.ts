import { firstCharacters } from '@parlando/core/text'
import type { HeardMessage, QuestionMessage, ReadingMessage } from '../../browser/commands.ts'
import type {
  Heard,
  ReadingAction,
  ReadingDisplay,
  ShownQuestion,
  ShownReading,
  SpeakerDisplay,
} from '../../display.ts'
import type { AlarmAction, AlarmControl, ShownAlarm } from '../../driver.ts'

/** What was said, and the response to it, have at most this many characters. */
const maxTextCharacters = 2000

interface Question {
  question: ShownQuestion
  onAnswer(index: number): void
}

interface Reading {
  reading: ShownReading
  onAction(action: ReadingAction): void
}

/** What all browsers of a page show besides their sound, also those that connect later, and the buttons that people press there. */
export class PageDisplay implements SpeakerDisplay, ReadingDisplay {
  readonly #send: (message: object) => void
  #alarms: readonly ShownAlarm[] = []
  #control: AlarmControl = () => {}
  /** The newest one is shown. */
  readonly #questions = new Map<string, Question>()
  /** The texts of several nodes. One that is not paused is shown. */
  readonly #readings = new Map<string, Reading>()

  /** @param send Sends a message to all browsers. */
  constructor(send: (message: object) => void) {
    this.#send = send
  }

  /** What a browser that connects now has to show. */
  get messages(): object[] {
    return [
      ...(this.#alarms.length > 0 ? [this.#alarmsMessage] : []),
      ...(this.#questions.size > 0 ? [this.#questionMessage] : []),
      ...(this.#readings.size > 0 ? [this.#readingMessage] : []),
    ]
  }

  /** Shows the alarms that somebody must acknowledge. */
  showAlarms(alarms: readonly ShownAlarm[], control: AlarmControl): void {
    this.#alarms = alarms
    this.#control = control
    this.#send(this.#alarmsMessage)
  }

  /** Somebody has pressed a button of an alarm. @returns whether it is shown. */
  control(id: string, action: AlarmAction): boolean {
    const isShown = this.#alarms.some((alarm) => alarm.id === id)
    if (isShown) this.#control(id, action)
    return isShown
  }

  showQuestion(question: ShownQuestion, onAnswer: (index: number) => void): void {
    this.#questions.set(question.id, { question, onAnswer })
    this.#send(this.#questionMessage)
  }

  hideQuestion(id: string): void {
    this.#questions.delete(id)
    this.#send(this.#questionMessage)
  }

  /** Somebody has pressed the button of an answer. @returns whether the question has this button. */
  answer(id: string, index: number): boolean {
    const shown = this.#questions.get(id)
    if (shown?.question.buttons[index] === undefined) return false
    shown.onAnswer(index)
    return true
  }

  showReading(reading: ShownReading, onAction: Reading['onAction']): void {
    this.#readings.set(reading.id, { reading, onAction })
    this.#send(this.#readingMessage)
  }

  hideReading(id: string): void {
    if (this.#readings.delete(id)) this.#send(this.#readingMessage)
  }

  /** Somebody has pressed a button of a text that is read aloud. @returns whether the text is still there. */
  controlReading(id: string, action: ReadingAction): boolean {
    const shown = this.#readings.get(id)
    shown?.onAction(action)
    return shown !== undefined
  }

  showHeard({ text, response, ...facts }: Heard): void {
    const shown = { text: shorten(text), ...(response && { response: shorten(response) }) }
    this.#send({ type: 'heard', heard: { ...facts, ...shown } } satisfies HeardMessage)
  }

  get #alarmsMessage(): object {
    return { type: 'alarms', alarms: this.#alarms }
  }

  get #questionMessage(): QuestionMessage {
    return { type: 'question', question: [...this.#questions.values()].at(-1)?.question }
  }

  get #readingMessage(): ReadingMessage {
    const readings = [...this.#readings.values()].map(({ reading }) => reading)
    return {
      type: 'reading',
      reading: readings.findLast(({ isPaused }) => !isPaused) ?? readings.at(-1),
    }
  }
}

const shorten = (text: string) => firstCharacters(text, maxTextCharacters)
