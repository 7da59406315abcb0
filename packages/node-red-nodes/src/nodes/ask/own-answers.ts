import { expandSentences, type SentencesProblem } from '../../recognition/command-sentences.ts'

// The form uses this file too, so it imports nothing of Node.js.

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

export type AnswersResult =
  | { answers: Answers; problem?: never }
  | { answers?: never; problem: AnswersProblem }

/** Each has an output. */
const maxAnswers = 20

export function answerKind({ answers }: AnswerSettings): AnswerKind {
  return answerKinds.find((one) => one === answers) ?? 'yes-no'
}

/** The names of the outputs for answers. None if the node's own answers have a problem. */
export function answerNames(settings: AnswerSettings): readonly string[] {
  const kind = answerKind(settings)
  if (kind === 'own') return readOwnAnswers(settings.ownAnswers).answers?.names ?? []
  return kind === 'yes-no' ? ['yes', 'no'] : [kind]
}

/** `yes: yes please | sure`; the full-width characters are those of Japanese and Chinese keyboards. */
const linePattern = /^([^:：{｛|｜]+)[:：](.*)$/

/** The answers of a form with answers of its own, or the first problem. */
export function readOwnAnswers(ownAnswers: unknown): AnswersResult {
  const lines = String(ownAnswers ?? '')
    .split('\n')
    .map((line) => line.trim())
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

/** The first sentence of each value: the one that the pages show. */
export function firstOfEach(possible: readonly PossibleAnswer[]): PossibleAnswer[] {
  const seen = new Set<unknown>()
  return possible.filter(({ value }) => !seen.has(value) && seen.add(value))
}
