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

/** Flite reads ASCII and drops the rest without a word: this gives it the nearest letters. */
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

/** @returns why flite cannot speak the text; `undefined` when it can. */
export function unsupportedReason(text: string): string | undefined {
  const foreign = /(?!\p{Script=Latin})\p{L}/u.exec(text.normalize('NFKD'))
  if (foreign) {
    return `The voices of this device speak English in Latin letters; they cannot say "${foreign[0]}"`
  }
  if (!/[A-Za-z0-9]/.test(plainText(text))) {
    return 'There is nothing in the text that can be spoken: it has no letter and no digit'
  }
  return undefined
}
