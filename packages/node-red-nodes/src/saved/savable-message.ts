import { firstCharacters } from '@parlando/core/text'

const maxCharacters = 64 * 1024
/** Each member of a larger message. */
const maxMemberCharacters = 4 * 1024
/** A byte of a Buffer takes this many characters of JSON, with its comma. */
const charactersPerByte = 4

/**
 * The part of a message that can be saved: of one that is too large, its small members, which may say how it is spoken.
 * @param text takes the place of a payload that is too large.
 */
export function savableMessage(message: object, text: string): Record<string, unknown> {
  try {
    const { req: _request, res: _response, ...rest } = message as Record<string, unknown>
    // A large message as JSON would hold up Node-RED.
    if (sizeOf(rest, maxCharacters) < maxCharacters) return savedForm(rest)
  } catch {
    // A getter that throws, or a value that JSON does not know.
  }
  return { payload: firstCharacters(text, maxCharacters), ...smallMembers(message) }
}

/** Without those that cannot be read, or that JSON does not know. */
function smallMembers(message: object): Record<string, unknown> {
  const members: [string, unknown][] = []
  let rest = maxCharacters
  for (const name of Object.keys(message)) {
    if (name === 'req' || name === 'res') continue
    try {
      const member = { [name]: (message as Record<string, unknown>)[name] }
      const size = sizeOf(member, maxMemberCharacters)
      // Also of what is left out: to measure it takes time, too.
      rest -= size
      if (rest <= 0) break
      if (size < maxMemberCharacters) members.push(...Object.entries(savedForm(member)))
    } catch {
      // The others can be saved.
    }
  }
  return Object.fromEntries(members)
}

/** What is read after a restart. */
function savedForm(members: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(members), reviveBuffer)
}

/** A reviver for `JSON.parse`. It makes Buffers of what `JSON.stringify` makes of them. */
export function reviveBuffer(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : value
}

/** The characters of a value as JSON, about, up to a limit. A circular reference has more than any limit. */
function sizeOf(value: unknown, limit: number): number {
  let rest = limit
  const pending = [value]
  while (pending.length > 0 && rest > 0) {
    const next = pending.pop()
    rest -= 1
    if (typeof next === 'string') rest -= next.length
    else if (ArrayBuffer.isView(next)) rest -= charactersPerByte * next.byteLength
    else if (Array.isArray(next) && next.length > rest) rest = 0
    else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        rest -= key.length
        pending.push(member)
      }
    }
  }
  return limit - Math.max(0, rest)
}
