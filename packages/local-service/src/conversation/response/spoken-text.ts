import { firstCharacters, hasUnspacedScript } from '@parlando/core/text'

/** The text of a response and the time at which each sentence is spoken. */
export interface SpokenText {
  addSentence(text: string): void
  /** Adds audio to the latest sentence. */
  addAudio(durationMs: number): void
  /** The latest sentence has all its audio. */
  end(): void
  readonly durationMs: number
  readonly text: string
  /** The text that is spoken before this time. Within a sentence, it is estimated from the length of the text. */
  textUntil(ms: number): string
}

interface Sentence {
  text: string
  startMs: number
}

/** How long a sentence takes whose audio is not complete. */
const characterMs = 65

export function createSpokenText(): SpokenText {
  const sentences: Sentence[] = []
  let durationMs = 0
  let isComplete = false
  const heardPart = ({ text, startMs }: Sentence, index: number, ms: number): string => {
    const expectedMs = isComplete ? 0 : startMs + text.length * characterMs
    const endMs = sentences[index + 1]?.startMs ?? Math.max(durationMs, expectedMs)
    if (ms >= endMs) return text
    // A sentence that has no sound takes no time.
    return ms <= startMs ? '' : cutAtWord(text, (ms - startMs) / (endMs - startMs))
  }
  return {
    addSentence: (text) => void sentences.push({ text, startMs: durationMs }),
    addAudio(ms) {
      durationMs += ms
    },
    end() {
      isComplete = true
    },
    get durationMs() {
      return durationMs
    },
    get text() {
      return sentences.map(({ text }) => text).join(' ')
    },
    textUntil(ms) {
      const parts = sentences.map((sentence, index) => heardPart(sentence, index, ms))
      return parts.filter((part) => part !== '').join(' ')
    },
  }
}

/** @returns the beginning of the text without a partial word, unless its script has no spaces. */
function cutAtWord(text: string, share: number): string {
  const end = Math.floor(text.length * share)
  if (hasUnspacedScript(text)) return firstCharacters(text, end)
  return text.slice(0, Math.max(0, text.lastIndexOf(' ', end)))
}
