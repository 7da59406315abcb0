import type { Client } from '@parlando/core'
import type { Announcement } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/shared-playback.ts'
import type { Ear } from '../../microphones/ear.ts'
import { MicrophoneError } from '../../microphones/microphone-recording.ts'
import { abortableDelay } from '../../runtime/wait.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { PossibleAnswer } from './answers.ts'
import { createHearing, type PlaceEar } from './hear-turns.ts'
import { type HeardTurn, isPartOf, matchAnswer } from './match-answer.ts'
import type { Question } from './read-question.ts'

/** `msg.answer`, and the output that it belongs to. */
export interface Outcome {
  answer?: PossibleAnswer
  by?: 'voice' | 'button'
  /** What was said last. */
  turn?: HeardTurn
}

export interface AskTools {
  client: Client
  signal: AbortSignal
  speakers: readonly Speaker[]
  /** Makes the announcement of the question, with the tone behind it. */
  announcement: Omit<Announcement, 'id'>
  createId(): string
  onProgress(progress: 'asking' | 'listening' | 'waiting'): void
  /** Nobody can be heard, but the buttons work. */
  onDeaf(error: unknown): void
  /** It was not asked, but is asked again until somebody answers. Called once until it was asked again. */
  onFailure(error: unknown): void
  /** The text of the error when nobody could hear or press an answer. */
  describeDeaf(): string
}

/** Somebody who has said something that is none of the answers gets this time for another try. */
const afterUnclearMs = 3000
/** For what somebody says, and for the recogniser of a slow machine. */
const maxTurnMs = 30_000

/**
 * Asks a question: says it, and listens. It is said again once if nobody has answered, or again and again until somebody has.
 * @throws what the speakers, the microphones or the recogniser fail with, or the reason of the signal.
 */
export async function askQuestion(question: Question, tools: AskTools): Promise<Outcome> {
  const buttons = showButtons(question, tools)
  try {
    if (!buttons.isShown && earsOf(tools).length === 0)
      throw new MicrophoneError(tools.describeDeaf())
    const { everyMs } = question
    if (everyMs !== undefined)
      return await askUntilAnswered({ ...question, everyMs }, tools, buttons)
    const first = await askOnce(question, tools, buttons)
    if (first.answer) return first
    const second = await askOnce(question, tools, buttons)
    return second.answer || second.turn ? second : first
  } finally {
    buttons.hide()
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
  { pressed }: Buttons,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const ending = new AbortController()
  const over = abortableDelay(limitMs, AbortSignal.any([signal, ending.signal]))
  try {
    return (await Promise.race([over, pressed])) ?? undefined
  } finally {
    over.catch(() => {})
    ending.abort()
  }
}

interface Buttons {
  /** Resolves when somebody presses one. */
  pressed: Promise<Outcome>
  /** Whether any speaker shows them. */
  isShown: boolean
  /** Shows what was heard. */
  showTurn(turn: HeardTurn): void
  hide(): void
}

function showButtons({ text, answers }: Question, { speakers, createId }: AskTools): Buttons {
  const id = createId()
  const displays = speakers.flatMap(({ driver }) => driver.display ?? [])
  const buttons = answers.buttons.map(({ sentence }) => sentence)
  let press = (_outcome: Outcome) => {}
  const pressed = new Promise<Outcome>((resolve) => {
    press = resolve
  })
  const show = (turn?: HeardTurn) => {
    const heard = turn && { text: turn.heard, isUnderstood: turn.answer !== undefined }
    const question = { id, text, buttons, ...(heard && { heard }) }
    for (const display of displays) {
      display.showQuestion(question, (index) => {
        const answer = answers.buttons[index]
        if (answer) press({ answer, by: 'button' })
      })
    }
  }
  show()
  return {
    pressed,
    isShown: displays.length > 0 && buttons.length > 0,
    showTurn: show,
    hide: () => {
      for (const display of displays) display.hideQuestion(id)
    },
  }
}

/** Says the question once and listens until somebody answers or the time is over. */
async function askOnce(question: Question, tools: AskTools, buttons: Buttons): Promise<Outcome> {
  const ending = new AbortController()
  const signal = AbortSignal.any([tools.signal, ending.signal])
  const wait = createAnswerTimer(question.waitMs)
  const ears = earsOf(tools)
  let isSaying = true
  let beganWhileSaying = false
  let unclear: HeardTurn | undefined
  let answer = (_outcome: Outcome) => {}
  const answered = new Promise<Outcome>((resolve) => {
    answer = resolve
  })
  const hearing = createHearing({
    client: tools.client,
    question,
    signal,
    onSpeech() {
      beganWhileSaying = isSaying
      wait.begin()
    },
    onTurn(recognised, isVoice) {
      const turn = matchAnswer(recognised, question.answers)
      // What began while the question was said may be the voice of the speaker.
      const isOwn = isPartOf(turn.answer?.sentence ?? '', question.text)
      const mayBeEcho = beganWhileSaying && (isOwn || !isVoice)
      const isFree = !question.answers.possible
      if (turn.answer && !mayBeEcho && !(isFree && beganWhileSaying)) {
        buttons.showTurn(turn)
        return answer({ answer: turn.answer, by: 'voice', turn })
      }
      if (turn.isNoise || beganWhileSaying) return wait.end(question.waitMs)
      unclear = turn
      buttons.showTurn(turn)
      wait.end(afterUnclearMs)
    },
  })
  const say = async () => {
    const isSaid = await sayQuestion(tools, signal, {
      onHeard(speaker, sound) {
        const place = ears.find(({ name }) => name === speaker.id)
        if (place?.ear.cancelsEcho) hearing.openEarly(place)
        // Only samples can be removed from a recording.
        else if (place && sound.format.audioEncoding === 'PCM') hearing.openEarly(place, sound)
      },
      onInterrupted: hearing.closeEarly,
    })
    if (!isSaid) return {}
    isSaying = false
    tools.onProgress('listening')
    hearing.openAll(ears)
    await wait.over()
    return { ...(unclear && { turn: unclear }) }
  }
  const said = say()
  said.catch(() => {})
  const heard = buttons.isShown ? answered : Promise.race([answered, hearing.failed])
  if (buttons.isShown) hearing.failed.catch(tools.onDeaf)
  try {
    return await Promise.race([buttons.pressed, heard, said])
  } finally {
    wait.close()
    ending.abort(new Error('The question is over'))
    await Promise.allSettled([said, hearing.close()])
    tools.signal.throwIfAborted()
  }
}

/** @returns whether it was said: quiet hours may forbid it. @throws the error of the speakers if none of them could. */
async function sayQuestion(
  tools: AskTools,
  signal: AbortSignal,
  {
    onHeard,
    onInterrupted,
  }: { onHeard: NonNullable<Announcement['onHeard']>; onInterrupted(): void },
): Promise<boolean> {
  tools.onProgress('asking')
  const announcement = { ...tools.announcement, id: tools.createId(), onHeard }
  const { status } = await sharedPlayback().announcer.announce(announcement, {
    signal,
    // Before it begins, or after an alarm has cut it.
    onStateChange: (state) => state === 'waiting' && onInterrupted(),
    onFailure() {},
  })
  return status === 'said'
}

/** The microphones of the speakers, each once. */
function earsOf({ speakers }: AskTools): PlaceEar[] {
  const ears = new Map<Ear, PlaceEar>()
  for (const { id, driver, ear = driver.ear } of speakers) {
    if (ear && !ears.has(ear)) ears.set(ear, { name: id, ear })
  }
  return [...ears.values()]
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
