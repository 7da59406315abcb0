/** No valid body nests nearly as deep. Deeper levels stay unchanged, and the schema rejects them. */
const maxDepth = 32

/**
 * Converts the keys of a parsed JSON body to lowerCamelCase, also in nested objects and lists: the service accepts
 * `voice_id` for `voiceId`. If a key is present in both forms, the lowerCamelCase one wins. Values stay unchanged.
 *
 * Not for bodies in the OpenAI format (chat, `/v1/audio/speech`), whose own keys are snake_case.
 */
export function camelCaseKeys(body: unknown): unknown {
  return convert(body, maxDepth)
}

function convert(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) return value.map((item) => convert(item, depth - 1))
  const converted = Object.entries(value).flatMap(([key, member]) => {
    const name = camelCase(key)
    const isDuplicate = name !== key && Object.hasOwn(value, name)
    return isDuplicate ? [] : [[name, convert(member, depth - 1)] as const]
  })
  // Assigning a key named __proto__ would change the prototype instead.
  return Object.fromEntries(converted)
}

function camelCase(key: string): string {
  return key.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
