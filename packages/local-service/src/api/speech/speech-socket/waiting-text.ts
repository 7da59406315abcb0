import {
  createSentenceCutter,
  cutLongText,
  endsClause,
  hasSpeakable,
  isSettledCut,
} from '@parlando/core/text'
import { defaultBufferCharThreshold, type SpeechContextSettings } from '@parlando/core/wire'

/** The text that a context has received and not yet spoken. */
export interface WaitingText {
  /** Adds text. @returns the texts to speak now. */
  push(text: string): string[]
  /** @returns the rest. */
  flush(): string[]
}

type Settings = Pick<SpeechContextSettings, 'autoMode' | 'autoModeStrategy' | 'bufferCharThreshold'>

/** Decides which text to speak when. No text that it returns is without a letter or a digit. */
export function createWaitingText(settings: Settings): WaitingText {
  const { autoMode, autoModeStrategy, bufferCharThreshold = defaultBufferCharThreshold } = settings
  const waiting = !autoMode
    ? collectText(bufferCharThreshold)
    : autoModeStrategy === 'SENTENCE_BOUNDARY'
      ? cutSentences()
      : speakAtOnce
  return {
    push: (text) => waiting.push(text).filter(hasSpeakable),
    flush: () => waiting.flush().filter(hasSpeakable),
  }
}

/** Text in which the next words can still change everything, such as a long list of numbers, waits no longer than this. */
const maxUnsettledCharacters = 400

/** Collects text up to the threshold, and then cuts after a sentence, a clause or a word where later text changes nothing. */
function collectText(threshold: number): WaitingText {
  let held = ''
  return {
    push(text) {
      held += text
      if (held.length < threshold) return []
      if (held.length > threshold + maxUnsettledCharacters) {
        const pieces = cutLongText(held, threshold + maxUnsettledCharacters)
        held = pieces.length > 1 ? (pieces.pop() ?? '') : ''
        return pieces
      }
      const pieces: string[] = []
      for (let end = findCut(held, threshold); end > 0; end = findCut(held, threshold)) {
        pieces.push(held.slice(0, end))
        held = held.slice(end).trimStart()
      }
      return pieces
    },
    flush() {
      const text = held
      held = ''
      return [text]
    },
  }
}

/**
 * @returns the last place before the threshold where a sentence, a clause or a word ends, or else the first place after it; 0 if
 * there is none. Without a space after the last word, more of it may follow.
 */
function findCut(text: string, threshold: number): number {
  if (text.trimEnd().length < threshold) return 0
  const spaces = Array.from(text.matchAll(/(?<=\S)\s/g), ({ index }) => index)
  const end = spaces.at(-1) ?? 0
  const isEnd = end === text.trimEnd().length && endsSentence(text.slice(0, end))
  const words = spaces.slice(0, -1).filter((space) => isSettledCut(text, space))
  if (isEnd) words.push(end)
  const levels = [endsSentence, endsClause, () => true]
  for (const isPlace of levels) {
    const cut = words.findLast((space) => space <= threshold && isPlace(text.slice(0, space)))
    if (cut !== undefined) return cut
  }
  return words[0] ?? 0
}

function endsSentence(text: string): boolean {
  return /[.!?…]["'”’)]{0,3}$/u.test(text) && endsClause(text)
}

function cutSentences(): WaitingText {
  const cutter = createSentenceCutter()
  return { push: cutter.push, flush: cutter.end }
}

const speakAtOnce: WaitingText = { push: (text) => [text], flush: () => [] }
