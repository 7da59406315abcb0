import type { Client } from '@parlando/core'
import type { Announcement } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/node/shared-playback.ts'
import type { Ear } from '../../microphones/ear.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Buttons } from './answer-buttons.ts'
import { createHearing, type PlaceEar } from './hear-turns.ts'
import { type HeardTurn, judgeTurn, type Outcome } from './match-answer.ts'
import type { Question } from './read-question.ts'

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

/** Says the question once and listens until somebody answers or the time is over. */
export async function askOnce(
  question: Question,
  tools: AskTools,
  buttons: Buttons,
): Promise<Outcome> {
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
      const { turn, is } = judgeTurn(recognised, question, { isVoice, beganWhileSaying })
      if (is === 'nothing') return wait.end(question.waitMs)
      buttons.showTurn(turn)
      if (is === 'answer') return answer({ answer: turn.answer, by: 'voice', turn })
      unclear = turn
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
export function earsOf({ speakers }: AskTools): PlaceEar[] {
  const ears = new Map<Ear, PlaceEar>()
  for (const { id, driver, questionEar: ear = driver.questionEar } of speakers) {
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
