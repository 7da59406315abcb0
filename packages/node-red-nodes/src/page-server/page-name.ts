const maxCharacters = 80

/** The part of a page's address that names it: in lower case and without separators, since people type it. */
export function pageName(name: string): string {
  const part = name.slice(0, maxCharacters).trim().toLowerCase()
  // An address cannot contain half an emoji.
  return part.replace(/\p{Surrogate}/gu, '').replace(/[\s/\\?#%]+/g, '-')
}
