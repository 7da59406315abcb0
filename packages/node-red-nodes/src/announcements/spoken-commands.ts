import { languageOf } from '@parlando/core/text'
import type { SpokenCommand } from '../speakers/display.ts'

/** The sentences of each command, in one language. */
export type CommandSentences = Readonly<Record<SpokenCommand, readonly string[]>>

/** By the code of their language. Short words that resemble many others are left out. */
const sentencesByLanguage: Readonly<Record<string, CommandSentences>> = {
  en: {
    stop: ['stop', 'stop it', 'be quiet'],
    acknowledge: ['okay', 'okay thanks', 'all right'],
    later: ['later', 'not now', 'remind me later'],
    again: ['again', 'once again', 'say it again', 'repeat that'],
  },
  de: {
    stop: ['stopp', 'halt', 'sei still'],
    acknowledge: ['okay', 'okay danke', 'in ordnung'],
    later: ['später', 'nicht jetzt', 'erinnere mich später'],
    again: ['noch einmal', 'noch mal', 'sag das noch einmal'],
  },
  es: {
    stop: ['para', 'para ya', 'silencio'],
    acknowledge: ['vale', 'de acuerdo', 'vale gracias'],
    later: ['más tarde', 'ahora no', 'recuérdamelo más tarde'],
    again: ['otra vez', 'repite', 'dilo otra vez'],
  },
  fr: {
    stop: ['stop', 'arrête', 'silence'],
    acknowledge: ["d'accord", 'okay', 'okay merci'],
    later: ['plus tard', 'pas maintenant', 'rappelle-moi plus tard'],
    again: ['encore', 'encore une fois', 'répète'],
  },
  ja: {
    stop: ['ストップ', '止めて', '静かにして'],
    acknowledge: ['オーケー', 'わかった', '了解'],
    later: ['あとで', '今はだめ', 'あとで教えて'],
    again: ['もう一度', 'もう一回', 'もう一度言って'],
  },
  zh: {
    stop: ['停', '停止', '安静'],
    acknowledge: ['好的', '知道了', '没问题'],
    later: ['稍后', '等一下', '稍后提醒我'],
    again: ['再来一次', '再说一遍', '重复一遍'],
  },
}

/** @returns nothing for a language without commands. */
export function commandSentences(language: string): CommandSentences | undefined {
  return sentencesByLanguage[languageOf(language)]
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
