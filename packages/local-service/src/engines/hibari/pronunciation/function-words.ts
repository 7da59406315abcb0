import { primaryStress, secondaryStress } from './stress.ts'
import { kindOf, type WordContext } from './word-context.ts'

/** What the lists say of words. */
interface Lists {
  spell(word: string): string | undefined
  listed(word: string, variant?: string): string | undefined
}

/** @returns the sounds of a word that depend on what follows; nothing for other words. */
export function functionWord(
  word: string,
  stress: number | undefined,
  surroundings: WordContext,
  { spell, listed }: Lists,
): string | undefined {
  const { tag, vowelFollows, toFollows } = surroundings
  const isNoun = tag.startsWith('NN')
  switch (word) {
    case 'a':
    case 'A':
      return tag === 'DT' ? 'ɐ' : 'ˈA'
    case 'am':
    case 'Am':
    case 'AM':
      if (isNoun) return spell(word)
      return vowelFollows === undefined || word !== 'am' || (stress ?? 0) > 0 ? listed('am') : 'ɐm'
    case 'an':
    case 'An':
      return 'ɐn'
    case 'AN':
      return isNoun ? spell(word) : 'ɐn'
    case 'I':
      return tag === 'PRP' ? `${secondaryStress}I` : undefined
    case 'by':
    case 'By':
    case 'BY':
      return kindOf(tag) === 'ADV' ? 'bˈI' : undefined
    case 'TO':
      if (tag !== 'TO' && tag !== 'IN') return undefined
      return soundsOfTo(vowelFollows, listed)
    case 'to':
    case 'To':
      return soundsOfTo(vowelFollows, listed)
    case 'IN':
      if (tag === 'NNP') return undefined
      return soundsOfIn(tag, vowelFollows)
    case 'in':
    case 'In':
      return soundsOfIn(tag, vowelFollows)
    case 'THE':
      return tag === 'DT' ? soundsOfThe(vowelFollows) : undefined
    case 'the':
    case 'The':
      return soundsOfThe(vowelFollows)
    case 'used':
    case 'Used':
    case 'USED':
      return listed('used', toFollows && ['VBD', 'JJ'].includes(tag) ? 'VBD' : undefined)
    case 'vs':
    case 'vs.':
    case 'VS':
    case 'Vs.':
      return tag === 'IN' ? listed('versus') : undefined
    default:
      return undefined
  }
}

const soundsOfThe = (vowelFollows: boolean | undefined) => (vowelFollows ? 'ði' : 'ðə')
const soundsOfIn = (tag: string, vowelFollows: boolean | undefined) =>
  vowelFollows === undefined || tag !== 'IN' ? `${primaryStress}ɪn` : 'ɪn'
function soundsOfTo(
  vowelFollows: boolean | undefined,
  listed: Lists['listed'],
): string | undefined {
  if (vowelFollows === undefined) return listed('to')
  return vowelFollows ? 'tʊ' : 'tə'
}
