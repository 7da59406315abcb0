import { firstCharacters } from '@parlando/core/text'
import { readTopic } from '../runtime/settings.ts'

const maxCharacters = 64 * 1024
/** A byte of a Buffer takes this many characters of JSON, with its comma. */
const charactersPerByte = 4

/** The part of a message that can be saved; only the text and the topic of one that is too large. */
export function savableMessage(message: object, text: string): Record<string, unknown> {
  try {
    const { req: _request, res: _response, ...rest } = message as Record<string, unknown>
    // A large message as JSON would hold up Node-RED.
    if (isSmall(rest)) return JSON.parse(JSON.stringify(rest), reviveBuffer)
  } catch {
    // A getter that throws, or a value that JSON does not know.
  }
  return { topic: readTopic(message), payload: firstCharacters(text, maxCharacters) }
}

/** A reviver for `JSON.parse`. It makes Buffers of what `JSON.stringify` makes of them. */
export function reviveBuffer(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : value
}

/** Whether a value has less than the limit as JSON, about. A circular reference has not. */
function isSmall(value: unknown): boolean {
  let rest = maxCharacters
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
  return rest > 0
}
