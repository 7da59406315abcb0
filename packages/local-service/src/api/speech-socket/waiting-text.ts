import { createSentenceCutter, cutLongText, hasSpeakable } from '@parlando/core/text'
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

/** Collects text up to the threshold, and then cuts after a sentence, a clause or a word. */
function collectText(threshold: number): WaitingText {
  let held = ''
  return {
    push(text) {
      held += text
      if (held.length < threshold) return []
      const pieces = cutLongText(held, threshold)
      const rest = pieces.at(-1) ?? ''
      const space = held.slice(held.trimEnd().length)
      held = ''
      if (rest.length >= threshold) return pieces
      // The space separates the rest from the next text.
      held = rest + space
      return pieces.slice(0, -1)
    },
    flush() {
      const text = held
      held = ''
      return [text]
    },
  }
}

function cutSentences(): WaitingText {
  const cutter = createSentenceCutter()
  return { push: cutter.push, flush: cutter.end }
}

const speakAtOnce: WaitingText = { push: (text) => [text], flush: () => [] }
