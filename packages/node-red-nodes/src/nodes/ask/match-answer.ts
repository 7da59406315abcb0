import { matchSentence } from '../../recognition/match-sentence.ts'
import { certainSentence, type Recognised } from '../../recognition/recognised.ts'
import { containsWords } from '../../recognition/same-words.ts'
import type { Answers, PossibleAnswer } from './own-answers.ts'

/** What somebody said, and the answer that it clearly is. */
export interface RecognisedTurn {
  transcript: string
  confidence?: number
  /** Absent: it is none of the answers. */
  answer?: PossibleAnswer
  /** The sentences most like it. */
  nearest: readonly string[]
  /** It was a sound without words. */
  isNoise: boolean
}

/** `msg.answer`, and the output that it belongs to. */
export interface Outcome {
  answer?: PossibleAnswer
  by?: 'voice' | 'button'
  /** What was said last. */
  turn?: RecognisedTurn
}

/** Finds the answer that was said. It never guesses: what could be two answers is none. */
export function matchAnswer(turn: Recognised, { names, possible }: Answers): RecognisedTurn {
  const { text, confidence, sentenceMatch } = turn
  const facts = { transcript: text, ...(confidence !== undefined && { confidence }) }
  if (!possible) {
    const value = text.trim()
    if (!value) return { ...facts, nearest: [], isNoise: true }
    const answer = { sentence: value, name: names[0]!, output: 0, value }
    return { ...facts, answer, nearest: [], isNoise: false }
  }
  const match =
    sentenceMatch ??
    matchSentence(
      text,
      possible.map(({ sentence }) => sentence),
    )
  const answerOf = (said: string) => possible.find(({ sentence }) => sentence === said)
  const nearest = match.nearest
  const isNoise = sentenceMatch?.reason === 'noise' || (!text && !match.sentence)
  const said = certainSentence(text, match)
  const answer = said === undefined ? undefined : answerOf(said)
  if (answer) return { ...facts, answer, nearest, isNoise: false }
  // The recogniser is sure that one of two sentences was said, and both are the same answer.
  const isSure = sentenceMatch && !sentenceMatch.reason && nearest.length === 2
  const [one, other] = nearest.map(answerOf)
  const isSame = isSure && one && one.output === other?.output && one.value === other.value
  return { ...facts, ...(isSame && { answer: one }), nearest, isNoise }
}

export interface TurnFacts {
  /** Whether it was not the sound that the microphone removes. */
  isVoice: boolean
  /** Whether it began while the question was said. */
  beganWhileSaying: boolean
}

/** What somebody said, and what it is to the question. */
export function judgeTurn(
  recognised: Recognised,
  { text, answers }: { text: string; answers: Answers },
  { isVoice, beganWhileSaying }: TurnFacts,
): { turn: RecognisedTurn; is: 'answer' | 'unclear' | 'nothing' } {
  const turn = matchAnswer(recognised, answers)
  // What began while the question was said may be the voice of the speaker.
  const isOwn = containsWords(text, turn.answer?.sentence ?? '')
  const mayBeEcho = beganWhileSaying && (isOwn || !isVoice || !answers.possible)
  if (turn.answer && !mayBeEcho) return { turn, is: 'answer' }
  return { turn, is: turn.isNoise || beganWhileSaying ? 'nothing' : 'unclear' }
}
