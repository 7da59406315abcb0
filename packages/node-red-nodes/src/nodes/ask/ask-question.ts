import { MicrophoneError } from '../../microphones/microphone-recording.ts'
import { abortableDelay } from '../../runtime/wait.ts'
import { type Buttons, createButtons } from './answer-buttons.ts'
import { type AskTools, askOnce } from './ask-once.ts'
import type { Outcome } from './match-answer.ts'
import { microphonesOf } from './question-places.ts'
import type { Question } from './read-question.ts'

/**
 * Asks a question: says it, and listens. It is said again once if nobody has answered, or again and again until somebody has.
 * @throws what the speakers, the microphones or the recogniser fail with, or the reason of the signal.
 */
export async function askQuestion(question: Question, tools: AskTools): Promise<Outcome> {
  const speakers = tools.announcement.findSpeakers()
  const buttons = createButtons(question, tools.createId())
  try {
    buttons.showOn(speakers)
    if (!buttons.isShown && microphonesOf(speakers).length === 0)
      throw new MicrophoneError(tools.describeNoMicrophone(speakers))
    const { everyMs } = question
    if (everyMs !== undefined)
      return await askUntilAnswered({ ...question, everyMs }, tools, buttons)
    const first = await askOnce(question, tools, buttons)
    if (first.answer) return first
    const second = await askOnce(question, tools, buttons)
    return second.answer || second.turn ? second : first
  } finally {
    buttons.showOn([])
  }
}

/** No failure ends an important question, unless a speaker no longer exists. */
async function askUntilAnswered(
  question: Question & { everyMs: number },
  tools: AskTools,
  buttons: Buttons,
): Promise<Outcome> {
  const { signal, announcement, onFailure, onProgress } = tools
  for (let hasFailed = false; ; ) {
    const startedAt = performance.now()
    try {
      const outcome = await askOnce(question, tools, buttons)
      if (outcome.answer) return outcome
      hasFailed = false
    } catch (error) {
      signal.throwIfAborted()
      announcement.findSpeakers()
      if (!hasFailed) onFailure(error)
      hasFailed = true
    }
    onProgress('waiting')
    const restMs = Math.max(0, startedAt + question.everyMs - performance.now())
    const pressed = await pressedWithin(restMs, buttons, signal)
    if (pressed) return pressed
  }
}

/** @returns nothing if the time is over. @throws the reason of the signal. */
async function pressedWithin(
  limitMs: number,
  buttons: Buttons,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const over = abortableDelay(limitMs, either)
  try {
    return (await Promise.race([over, buttons.untilPressed(either)])) ?? undefined
  } finally {
    over.catch(() => {})
    ending.abort()
  }
}
