import { keys } from './keys.ts'

/** A key in plain form and in the encodings in which it could appear. */
function formsOf(key: string): string[] {
  // Base64 encodes groups of three bytes. The number of bytes before the key shifts the groups, and the first and last
  // group also depend on neighbouring bytes, so they are cut off.
  const inBase64 = ['', '.', '..'].map((before) =>
    Buffer.from(before + key)
      .toString('base64')
      .slice(4, -4),
  )
  const inUrl = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = Buffer.from(key).toString('hex')
  const decoded = Buffer.from(key, 'base64').toString()
  const plain = [key, ...(key.endsWith('=') ? [decoded] : [])]
  return plain
    .flatMap((text) => [text, encodeURIComponent(text), inJson(text)])
    .concat(inBase64, inUrl, hex)
}

/** The text as part of a JSON string, without quotation marks. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

const searched = Object.entries(keys).map(([name, key]) => ({
  name,
  forms: [...new Set(formsOf(key))],
}))

/** Searches for the test keys in all their forms. @returns the name of each key found, with the text before it. */
export function findKeys(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const found: string[] = []
  for (const { name, forms } of searched) {
    const at = forms.map((form) => text.indexOf(form)).find((at) => at >= 0)
    if (at !== undefined)
      found.push(`${name}, after ${JSON.stringify(text.slice(Math.max(0, at - 80), at))}`)
  }
  return found
}
