/** No body of the protocol nests nearly as deep. One that does stays as it is, and is refused for its shape. */
const maxDepth = 32

/**
 * Gives a parsed JSON body with its keys in lowerCamelCase, in nested objects and lists too: the service takes
 * `voice_id` for `voiceId`. Where a key is there in both forms, the lowerCamelCase one holds. Values stay as they are.
 *
 * Not for the bodies of the OpenAI form (chat, `/v1/audio/speech`), whose own keys are snake_case.
 */
export function camelCaseKeys(body: unknown): unknown {
  return convert(body, maxDepth)
}

function convert(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) return value.map((item) => convert(item, depth - 1))
  const converted = Object.entries(value).flatMap(([key, member]) => {
    const name = camelCase(key)
    const isOutdone = name !== key && Object.hasOwn(value, name)
    return isOutdone ? [] : [[name, convert(member, depth - 1)] as const]
  })
  // Not by assignment: a key named __proto__ would change what the object is.
  return Object.fromEntries(converted)
}

function camelCase(key: string): string {
  return key.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
