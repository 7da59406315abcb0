import { createHash } from 'node:crypto'

/**
 * The key of a sound: a SHA-256 in hexadecimal over everything that changes the sound, such as text, voice and encoding. The order of
 * the properties does not matter, and a property that is `undefined` counts as absent.
 * @throws {TypeError} for data that JSON cannot express.
 */
export function soundKey(facts: object): string {
  return createHash('sha256').update(JSON.stringify(facts, sorted)).digest('hex')
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
