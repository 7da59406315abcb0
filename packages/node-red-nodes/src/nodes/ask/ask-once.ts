import type { Announcement } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/node/shared-playback.ts'
import type { SpeechService } from '../../runtime/find-service.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Buttons } from './answer-buttons.ts'
import { AnswerWait } from './answer-wait.ts'
import { Hearing } from './hear-turns.ts'
import type { Outcome } from './match-answer.ts'
import { microphoneOf, QuestionPlaces } from './question-places.ts'
import type { Question } from './read-question.ts'

export interface AskTools {
  /** Runs work with the client of the speech service, which may have another address each time. */
  use: SpeechService['use']
  signal: AbortSignal
  /** Makes the announcement of the question, with the tone behind it. */
  announcement: Omit<Announcement, 'id' | 'speakers'>
  createId(): string
  onProgress(progress: 'asking' | 'listening' | 'waiting'): void
  /** Nobody can be heard, but the buttons work. */
  onDeaf(error: unknown): void
  /** It was not asked, but is asked again until somebody answers. Called once until it was asked again. */
  onFailure(error: unknown): void
  /** The text of the error when nobody could hear or press an answer. */
  describeDeaf(speakers: readonly Speaker[]): string
}

/** Connects to the service, says the question once, and listens until somebody answers or the time is over. */
export async function askOnce(
  question: Question,
  tools: AskTools,
  buttons: Buttons,
): Promise<Outcome> {
  const { use, onDeaf } = tools
  const ending = new AbortController()
  const signal = AbortSignal.any([tools.signal, ending.signal])
  const wait = new AnswerWait(question, buttons)
  const { answered, onSpeech, onTurn } = wait
  const hearing = new Hearing({ use, question, signal, onSpeech, onTurn })
  const said = sayAndListen(tools, signal, { hearing, wait, buttons })
  said.catch(() => {})
  const heard = buttons.isShown ? answered : Promise.race([answered, hearing.failed])
  if (buttons.isShown) hearing.failed.catch(onDeaf)
  try {
    return await Promise.race([buttons.pressed, heard, said])
  } finally {
    wait.close()
    ending.abort(new Error('The question is over'))
    await Promise.allSettled([said, hearing.close()])
    tools.signal.throwIfAborted()
  }
}

/** Says the question, and listens meanwhile and afterwards. @returns what was said last, when the time for answers is over. */
async function sayAndListen(
  tools: AskTools,
  signal: AbortSignal,
  { hearing, wait, buttons }: { hearing: Hearing; wait: AnswerWait; buttons: Buttons },
): Promise<Outcome> {
  const places = new QuestionPlaces(tools.announcement.findSpeakers, buttons)
  const speakers = places.findSpeakers()
  // The time for answers must not pass while the service starts.
  await hearing.connected
  signal.throwIfAborted()
  const isSaid = await sayQuestion(tools, signal, {
    speakers,
    onHeard(speaker, sound) {
      places.notePlaying(speaker)
      const microphone = microphoneOf(speaker)
      if (microphone?.cancelsEcho) hearing.openEarly(microphone)
      // Only samples can be removed from a recording.
      else if (microphone && sound.format.audioEncoding === 'PCM')
        hearing.openEarly(microphone, sound)
    },
    onInterrupted: () => hearing.closeEarly(),
  })
  if (!isSaid) return {}
  tools.onProgress('listening')
  const stopFollowing = listenThroughDeploys(hearing, places)
  return wait.untilOver().finally(stopFollowing)
}

/** Listens with the microphones of the question, and with those that a deploy puts in their place. */
function listenThroughDeploys(hearing: Hearing, places: QuestionPlaces): () => void {
  let microphones = places.findMicrophones()
  hearing.openAll(microphones)
  return sharedPlayback().onDeployed(() => {
    const before = microphones
    try {
      microphones = places.findMicrophones()
    } catch {
      // A speaker no longer exists. The question ends with that error when it is to be said again.
      return
    }
    const isSame =
      microphones.length === before.length && microphones.every((one) => before.includes(one))
    if (!isSame) hearing.openAll(microphones)
  })
}

/** @returns whether it was said: quiet hours may forbid it. @throws the error of the speakers if none of them could. */
async function sayQuestion(
  tools: AskTools,
  signal: AbortSignal,
  {
    onInterrupted,
    ...places
  }: Required<Pick<Announcement, 'speakers' | 'onHeard'>> & { onInterrupted(): void },
): Promise<boolean> {
  tools.onProgress('asking')
  const announcement = { ...tools.announcement, ...places, id: tools.createId() }
  const { status } = await sharedPlayback().announcer.announce(announcement, {
    signal,
    // Before it begins, or after an alarm has cut it.
    onStateChange: (state) => state === 'waiting' && onInterrupted(),
    onFailure() {},
  })
  return status === 'said'
}
