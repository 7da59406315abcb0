import type { Announcement } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import type { SpeechService } from '../../runtime/speech-service.ts'
import { unlessAborted } from '../../runtime/wait.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Buttons } from './answer-buttons.ts'
import { AnswerRecognition } from './answer-recognition.ts'
import { AnswerWait } from './answer-wait.ts'
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
  /** No answer can be recognised, but the buttons work. */
  onVoiceFailure(error: unknown): void
  /** It was not asked, but is asked again until somebody answers. Called once until it was asked again. */
  onFailure(error: unknown): void
  /** The text of the error when there is neither a microphone nor a button for an answer. */
  describeNoMicrophone(speakers: readonly Speaker[]): string
}

/** Connects to the service, says the question once, and listens until somebody answers or the time is over. */
export async function askOnce(
  question: Question,
  tools: AskTools,
  buttons: Buttons,
): Promise<Outcome> {
  const { use, onVoiceFailure } = tools
  const ending = new AbortController()
  const signal = AbortSignal.any([tools.signal, ending.signal])
  const wait = new AnswerWait(question, buttons)
  const { answered, onSpeech, onTurn } = wait
  const recognition = new AnswerRecognition({ use, question, signal, onSpeech, onTurn })
  const said = sayAndListen(tools, signal, { recognition, wait, buttons })
  said.catch(() => {})
  const byVoice = buttons.isShown ? answered : Promise.race([answered, recognition.failed])
  if (buttons.isShown) recognition.failed.catch(onVoiceFailure)
  try {
    const ended = Promise.race([buttons.untilPressed(signal), byVoice, said])
    // Somebody may have begun to speak: the time for an answer would pass first.
    return await unlessAborted(ended, tools.signal)
  } finally {
    wait.close()
    ending.abort(new Error('The question is over'))
    await Promise.allSettled([said, recognition.close()])
    tools.signal.throwIfAborted()
  }
}

/** Says the question, and listens meanwhile and afterwards. @returns what was said last, when the time for answers is over. */
async function sayAndListen(
  tools: AskTools,
  signal: AbortSignal,
  {
    recognition,
    wait,
    buttons,
  }: { recognition: AnswerRecognition; wait: AnswerWait; buttons: Buttons },
): Promise<Outcome> {
  const places = new QuestionPlaces(tools.announcement.findSpeakers, buttons)
  const speakers = places.findSpeakers()
  // The time for answers must not pass while the service starts.
  await recognition.connected
  signal.throwIfAborted()
  const isSaid = await sayQuestion(tools, signal, {
    speakers,
    onHeard(speaker, sound) {
      places.notePlaying(speaker)
      const microphone = microphoneOf(speaker)
      if (microphone?.cancelsEcho) recognition.openEarly(microphone)
      // Only samples can be removed from a recording.
      else if (microphone && sound.format.audioEncoding === 'PCM')
        recognition.openEarly(microphone, sound)
    },
    onInterrupted: () => recognition.closeEarly(),
  })
  if (!isSaid) return {}
  tools.onProgress('listening')
  const stopFollowing = listenThroughDeploys(recognition, places)
  return wait.untilOver().finally(stopFollowing)
}

/** Listens with the microphones of the question, and with those that a deploy puts in their place. */
function listenThroughDeploys(recognition: AnswerRecognition, places: QuestionPlaces): () => void {
  let microphones = places.findMicrophones()
  recognition.openAll(microphones)
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
    if (!isSame) recognition.openAll(microphones)
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
    // It waits before it begins, or after an alarm has cut it.
    onStateChange: (state) => state === 'waiting' && onInterrupted(),
    onFailure() {},
  })
  return status === 'said'
}
