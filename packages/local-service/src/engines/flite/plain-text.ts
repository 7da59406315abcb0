import { silentTextReason } from '../silent-text.ts'

const plainForms: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟«»″]/g, '"'],
  [/[–—―]/g, ', '],
  [/…/g, '...'],
  [/ß/g, 'ss'],
  [/[æÆ]/g, 'ae'],
  [/[œŒ]/g, 'oe'],
  [/[øØ]/g, 'o'],
  [/[đĐðÐ]/g, 'd'],
  [/[łŁ]/g, 'l'],
  [/ı/g, 'i'],
  [/[þÞ]/g, 'th'],
]

/** Replaces characters with the nearest ASCII characters, because flite silently drops all others. */
export function plainText(text: string): string {
  let plain = text
  for (const [form, replacement] of plainForms) plain = plain.replace(form, replacement)
  return plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** @returns why flite cannot speak the text, or `undefined` if it can. */
export function unsupportedReason(text: string): string | undefined {
  const foreign = /(?!\p{Script=Latin})\p{L}/u.exec(text.normalize('NFKD'))
  if (foreign) {
    return `The voices of this device speak English in Latin letters; they cannot say "${foreign[0]}"`
  }
  return silentTextReason(plainText(text))
}
