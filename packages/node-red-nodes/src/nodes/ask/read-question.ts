import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { type Priority, priorities } from '../../announcements/announcement.ts'
import {
  type PlaybackForm,
  type PlaybackSettings,
  readPlayback,
} from '../../playback/playback-settings.ts'
import {
  type EndOfTurnSettings,
  readCompleteSilenceMs,
  readSilenceMs,
} from '../../recognition/end-of-turn-settings.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { readSettings } from '../../runtime/settings.ts'
import type { SpeechMessage, SpeechSettings } from '../../runtime/speech/speech-request.ts'
import { readSpeechText } from '../../runtime/speech/speech-text.ts'
import { chosenLanguage, sharedText } from '../../runtime/texts.ts'
import { readAnswers } from './answers.ts'
import type { AnswerSettings, Answers } from './own-answers.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface QuestionSettings
  extends SpeechSettings,
    PlaybackForm,
    AnswerSettings,
    EndOfTurnSettings {
  priority?: unknown
  /** How long the node waits for an answer after the question, in seconds. */
  waitSeconds?: unknown
  /** Whether it asks again and again until somebody has answered. */
  untilAnswered?: unknown
  /** How often the question is repeated, in seconds, for `untilAnswered`. */
  everySeconds?: unknown
  /** The recogniser. */
  recogniser?: unknown
}

export interface AskMessage extends SpeechMessage, NodeMessageInFlow {
  speakers?: unknown
  volume?: unknown
  priority?: unknown
  language?: unknown
  transcriptionModel?: unknown
  stop?: unknown
  answer?: unknown
}

/** A question that is ready to be asked. */
export interface Question extends PlaybackSettings {
  text: string
  answers: Answers
  /** The language of the built-in sentences and of the recogniser. */
  language: string
  modelId: string | undefined
  priority: Priority
  /** The silence that ends an answer. Default: that of the service. */
  silenceMs?: number | undefined
  /** The silence that ends an answer that sounds complete. Default: it does not matter how it sounds. */
  completeSilenceMs?: number | undefined
  waitMs: number
  /** Absent: it is asked twice at most. */
  everyMs?: number
}

const defaultWaitSeconds = 8
const defaultEverySeconds = 60

const settingTable = {
  priority: { message: 'priority', form: 'priority', fallback: 'normal' },
  language: { message: 'language', form: 'language' },
  modelId: { message: 'transcriptionModel', form: 'recogniser' },
  waitSeconds: { form: 'waitSeconds', isNumber: true },
  everySeconds: { form: 'everySeconds', isNumber: true },
} as const

export interface QuestionContext {
  RED: NodeAPI
  node: Node
  message: AskMessage
  signal: AbortSignal
  /** The text of a question that was asked before a restart. */
  knownText: string | undefined
}

/** Reads what the message and the form say. The message overrides the form. @throws {NodeInputError} for what does not fit. */
export async function readQuestion(
  { RED, node, message, signal, knownText }: QuestionContext,
  settings: QuestionSettings,
): Promise<Question> {
  const read = readSettings(message, settings, settingTable)
  const language = chosenLanguage(RED, read.language)
  const { answers, problem } = readAnswers(settings, language)
  if (problem) {
    const { problem: name, ...values } = problem
    throw new NodeInputError(sharedText(RED, `sentences.${name}`, values))
  }
  const priority = priorities.find((one) => one === read.priority)
  if (!priority) {
    const names = { priorities: priorities.join(', ') }
    throw new NodeInputError(RED._('ask.error.not-priority', names))
  }
  /** At least one second. */
  const readMs = (property: 'waitSeconds' | 'everySeconds', fallback: number, max: number) => {
    const seconds = read[property] ?? fallback
    if (seconds >= 1 && seconds <= max) return 1000 * seconds
    throw new NodeInputError(RED._('ask.error.not-number', { property, min: 1, max }))
  }
  const text = knownText ?? (await readSpeechText({ RED, node, message, signal }, settings))
  return {
    ...readPlayback(RED, settings, message),
    text,
    answers,
    language,
    modelId: read.modelId as string | undefined,
    priority,
    silenceMs: readSilenceMs(settings),
    completeSilenceMs: readCompleteSilenceMs(settings),
    waitMs: readMs('waitSeconds', defaultWaitSeconds, 60),
    ...(settings.untilAnswered === true && {
      everyMs: readMs('everySeconds', defaultEverySeconds, 86_400),
    }),
  }
}
