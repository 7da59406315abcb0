import { setOf, type Word, type WordPlace } from '../word.ts'
import { readAmount } from './numbers.ts'

/** Words after a length that are not what is measured: "6 feet tall", but "a six-foot fence". */
const afterLengths = setOf(`
  tall long wide deep high thick away apart above below across of and or x by to from in on at for with is are was were
`)
const feet = /^['’′]/
const inches = /^["”″]/

/** A length whose mark looks like a quotation mark: `55" TV`, `6' fence`. @returns its words, which include the mark. */
export function spellMarkedLength(text: string, { words, index }: WordPlace): string | undefined {
  const { before, after } = words[index]!
  const mark = [feet, inches].find((one) => one.test(after))
  const amount = mark && before === '' ? readAmount(text) : undefined
  if (!mark || amount?.rest !== '' || isQuoted(words.slice(0, index), mark === inches))
    return undefined
  const next = words[index + 1]?.text ?? ''
  const isAdjective = after.length === 1 && /^\p{L}/u.test(next) && !afterLengths.has(next)
  const [singular, plural] = mark === feet ? ['foot', 'feet'] : ['inch', 'inches']
  return `${amount.spoken} ${amount.isOne || isAdjective ? singular : plural}`
}

/** Whether a quotation is open after these words. */
function isQuoted(words: readonly Word[], isDouble: boolean): boolean {
  const [opening, closing] = isDouble ? [/["“«]/, /["”»]/] : [/['‘]/, /['’]/]
  const last = words.findLast(({ before, after }) => opening.test(before) || closing.test(after))
  return last !== undefined && !closing.test(last.after)
}

const measured = setOf('of tall long wide deep high thick x by')

/** Whether "in" is a unit: "0.2 in", "3 in of snow", but "5 in the morning". @param amount the word before it. */
export function isInches(amount: string, { words, index }: WordPlace): boolean {
  const { after } = words[index]!
  const next = words[index + 1]?.text
  if (after === '' && next !== undefined) return measured.has(next)
  return /^[-−]?\d*[.,/½¼¾]\d*$/.test(amount)
}
