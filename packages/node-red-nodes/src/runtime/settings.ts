/** The places that may hold a setting. The first value that is not empty applies. */
export interface SettingSources {
  /** A property of the message; it overrides the form for this message. */
  message?: string
  /** A property of the node. */
  form?: string
  /** Converts the value to a number: forms save numbers as text. */
  isNumber?: true
  fallback?: string
}

/** Settings as found. The types are not checked here: the client parses every request strictly and names the field. */
export type Settings<Table> = {
  [Name in keyof Table]: Table[Name] extends { isNumber: true } ? number | undefined : unknown
}

/**
 * Reads the settings of a table for one message. Text is trimmed, because pasted ids, keys and addresses often have
 * blanks around them. A setting that is empty everywhere is `undefined`.
 */
export function readSettings<const Table extends Record<string, SettingSources>>(
  message: object,
  form: object,
  table: Table,
): Settings<Table> {
  const valueIn = (holder: object, property: string | undefined) =>
    property === undefined ? undefined : trimmed((holder as Record<string, unknown>)[property])
  const entries = Object.entries(table).map(([name, sources]) => {
    const candidates = [valueIn(message, sources.message), valueIn(form, sources.form)]
    const value = candidates.find((candidate) => !isEmpty(candidate)) ?? sources.fallback
    return [name, sources.isNumber && value !== undefined ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}

/** Whether a setting, or a property of a message, counts as not given: inject nodes and templates leave an empty text. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** The properties that are not empty, of an object such as `msg.audioConfig`. */
export function withoutEmpty<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(entries) as Partial<Options>
}

/** Whether a value is an object, not an array, a Buffer or the like. Objects of a function node have another prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** The topic of a message, which may hold any value. An inject node without a topic sends an empty one. */
export function readTopic({ topic }: { topic?: unknown }): string | undefined {
  const text = ['string', 'number'].includes(typeof topic) ? String(topic).trim() : ''
  return text === '' ? undefined : text
}

/** A text, or the type of any other value, for an error message. */
export function textOrType(value: unknown): string {
  return typeof value === 'string' ? value : `(${typeof value})`
}

// As many entries as the client accepts. Every loop visits empty places, too: `new Array(2 ** 31)` would hold Node-RED for
// minutes, or take all its memory.
const maxListLength = 100_000

/** Whether a value of a message is an array that a node can go through. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= maxListLength
}
