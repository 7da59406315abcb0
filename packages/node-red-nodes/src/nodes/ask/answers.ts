import { languageOf } from '@parlando/core/text'
import { numberWords } from '../../grammars/by-language.ts'
import { spokenOrEnglish } from '../../runtime/spoken-words.ts'
import {
  type AnswerSettings,
  type Answers,
  type AnswersResult,
  answerKind,
  firstOfEach,
  type PossibleAnswer,
  readOwnAnswers,
} from './own-answers.ts'
import { timeSentences } from './time-answers.ts'

/** A recogniser confuses longer lists of numbers. */
export const maxNumbers = 1000
const maxButtons = 12

/**
 * The answers of a form.
 * @param language of the built-in sentences, such as `de-DE`. One that has none gets the English ones.
 * @returns the answers, or the first problem.
 */
export function readAnswers(settings: AnswerSettings, language: string): AnswersResult {
  const spoken = languageOf(language)
  const kind = answerKind(settings)
  if (kind === 'own') return readOwnAnswers(settings.ownAnswers)
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

/**
 * The sentences for yes, whose output is the first one, and for no. The first of each is what the page shows. Languages without
 * their own get those of English.
 */
function yesNoSentences(language: string) {
  const { yes, no } = spokenOrEnglish(language).answers
  const toAnswers = (sentences: readonly string[], name: string, output: number) =>
    sentences.map((sentence) => ({ sentence, name, output, value: output === 0 }))
  return [...toAnswers(yes, 'yes', 0), ...toAnswers(no, 'no', 1)]
}
