import { areSameWords } from '../recognition/same-words.ts'
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
  const commands = Object.entries(sentences) as [SpokenCommand, readonly string[]][]
  return commands.find(([, texts]) => texts.some((text) => areSameWords(text, transcript)))?.[0]
}
