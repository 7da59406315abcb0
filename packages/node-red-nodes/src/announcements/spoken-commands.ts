import { spokenWords } from '../runtime/spoken-words.ts'
import type { SpokenCommand } from '../speakers/display.ts'

/** The sentences of each command, in one language. Short words that resemble many others are left out. */
export type CommandSentences = Readonly<Record<SpokenCommand, readonly string[]>>

/** @returns nothing for a language without commands. */
export function commandSentences(language: string): CommandSentences | undefined {
  return spokenWords(language)?.commands
}

/** The command that a transcript means. It matches a sentence as a whole, apart from capitals, accents and punctuation. */
export function findCommand(
  sentences: CommandSentences,
  transcript: string,
): SpokenCommand | undefined {
  const said = plain(transcript)
  const commands = Object.entries(sentences) as [SpokenCommand, readonly string[]][]
  return commands.find(([, texts]) => texts.some((text) => plain(text) === said))?.[0]
}

/** Whether a text contains one of the sentences of a command, so that the speaker itself may have said it. */
export function contains(text: string, sentences: readonly string[]): boolean {
  const words = ` ${plain(text)} `
  return sentences.some((sentence) => {
    const wanted = plain(sentence)
    // Japanese and Chinese have no spaces between words.
    return /^[\p{Script=Latin} ]+$/u.test(wanted)
      ? words.includes(` ${wanted} `)
      : words.includes(wanted)
  })
}

function plain(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{Mn}/gu, '')
  return letters
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
