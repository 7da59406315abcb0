import phones from './phones.json' with { type: 'json' }

/** Flite's names of the sounds of American English, which all its voices use, as IPA and as the shape of the mouth. */
const phonesByName = new Map(Object.entries(phones))

/** @returns the name itself, without a viseme, for a sound that the table does not contain. */
export function readPhone(name: string): { symbol: string; viseme?: string } {
  const [symbol = name, viseme] = phonesByName.get(name) ?? []
  return { symbol, viseme }
}
