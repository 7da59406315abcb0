import { languageOf } from '@parlando/core/text'
import { numberWords } from '../../grammars/grammars.ts'
import { expandSentences, type SentencesProblem } from '../../recognition/command-sentences.ts'
import { timeSentences } from './time-answers.ts'
import { yesNoSentences } from './yes-no-answers.ts'

export const answerKinds = ['yes-no', 'own', 'number', 'time', 'text'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** The settings that decide which answers a question has. A hand-written flow may leave each out. */
export interface AnswerSettings {
  answers?: unknown
  /** One answer per line: its name and its sentences. */
  ownAnswers?: unknown
  from?: unknown
  to?: unknown
}

/** A sentence that is an answer. */
export interface PossibleAnswer {
  sentence: string
  name: string
  /** The number of its output, counted from 0. */
  output: number
  value: unknown
}

export interface Answers {
  /** One per output. Behind them follow *something else* and *nobody answered*. */
  names: readonly string[]
  /** Absent: any text is an answer. */
  possible?: readonly PossibleAnswer[]
  /** What the pages show. Empty for numbers, times and texts, which are too many. */
  buttons: readonly PossibleAnswer[]
}

export type AnswersProblem =
  | SentencesProblem
  | { problem: 'range' | 'too-many-answers'; max: number }

/** Each has an output. */
const maxAnswers = 20
/** A recogniser confuses longer lists of numbers. */
export const maxNumbers = 1000
const maxButtons = 12

/**
 * The answers of a form.
 * @param language of the built-in sentences, such as `de-DE`. One that has none gets the English ones.
 * @returns the answers, or the first problem.
 */
export function readAnswers(
  settings: AnswerSettings,
  language: string,
): { answers: Answers; problem?: never } | { answers?: never; problem: AnswersProblem } {
  const spoken = languageOf(language)
  const kind = answerKinds.find((one) => one === settings.answers) ?? 'yes-no'
  if (kind === 'own') return readOwnAnswers(String(settings.ownAnswers ?? ''))
  if (kind === 'text') return { answers: { names: ['text'], buttons: [] } }
  if (kind === 'time') return { answers: withoutOutputs('time', timeSentences(spoken)) }
  if (kind === 'number') {
    const [from, to] = [numberOr(settings.from, 1), numberOr(settings.to, 10)]
    const isRange = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to
    if (!isRange || to - from >= maxNumbers)
      return { problem: { problem: 'range', max: maxNumbers } }
    return { answers: withoutOutputs('number', numberSentences(from, to, spoken)) }
  }
  const possible = yesNoSentences(spoken)
  return { answers: { names: ['yes', 'no'], possible, buttons: firstOfEach(possible) } }
}

function numberOr(setting: unknown, fallback: number): number {
  const isEmpty = setting === undefined || setting === null || String(setting).trim() === ''
  return isEmpty ? fallback : Number(setting)
}

/** The sentences of all whole numbers of a range: as digits, and in words, since recognisers write both. */
function numberSentences(from: number, to: number, language: string) {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return numbers.flatMap((value) => {
    const forms = new Set([String(value), ...numberWords(value, language)])
    return [...forms].map((sentence) => ({ sentence, name: 'number', value }))
  })
}

/** A set whose answers share an output. */
function withoutOutputs(
  name: string,
  sentences: readonly Omit<PossibleAnswer, 'output'>[],
): Answers {
  const possible = sentences.map((one) => ({ ...one, output: 0 }))
  const buttons = firstOfEach(possible)
  return { names: [name], possible, buttons: buttons.length > maxButtons ? [] : buttons }
}

function firstOfEach(possible: readonly PossibleAnswer[]): PossibleAnswer[] {
  const seen = new Set<unknown>()
  return possible.filter(({ value }) => !seen.has(value) && seen.add(value))
}

/** `yes: yes please | sure`; the full-width characters are those of Japanese and Chinese keyboards. */
const linePattern = /^([^:：{｛|｜]+)[:：](.*)$/

function readOwnAnswers(text: string): ReturnType<typeof readAnswers> {
  const lines = text.split('\n').map((line) => line.trim())
  const sentences = lines.filter(Boolean).flatMap((line) => {
    const [, name, all] = linePattern.exec(line) ?? []
    if (name === undefined || all === undefined) return [line]
    const named = all.split(/[|｜]/).map((sentence) => sentence.trim())
    // The page shows the name, so people say it.
    return [name, ...named.filter(Boolean)].map((sentence) => `${name.trim()}: ${sentence.trim()}`)
  })
  const expanded = expandSentences(sentences.join('\n'))
  if (expanded.problem) return { problem: expanded.problem }
  const names = [...new Set(expanded.sentences.map(({ name }) => name))]
  if (names.length > maxAnswers)
    return { problem: { problem: 'too-many-answers', max: maxAnswers } }
  const possible = expanded.sentences.map(({ sentence, name }) => ({
    sentence,
    name,
    output: names.indexOf(name),
    value: name,
  }))
  return { answers: { names, possible, buttons: firstOfEach(possible) } }
}
