/** One setting of the service: everything that the types, the command line, `--help` and the documentation need. */
export interface Option<Value> {
  /** The name of the value in `--help`: `FOLDER`. Absent: the flag takes no value and means `true`. */
  placeholder?: string
  /** One line for `--help` and the documentation. */
  help: string
  /** Converts the text of a flag or a variable. @throws {Error} describing a valid value: `a whole number`. */
  read(text: string): Value
  /** Default of `startLocalService`. Absent: none. */
  default?: Value
  /** Default of the command, if it differs. */
  commandDefault?: Value
  /** Text for the command's default, if the value itself does not explain it. */
  shownDefault?: string
  /** Errors never show its value. */
  isSecret?: true
  /** The flag may be repeated; in a variable, commas separate the items. */
  isList?: true
}

/** A table of options by their names in camelCase. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>

/** The values that a program passes for a table. */
export type OptionValues<Table extends OptionTable> = {
  [Name in keyof Table]?: ReturnType<Table[Name]['read']>
}

export function readText(text: string): string {
  if (text.trim() === '') throw new Error('a non-empty text')
  return text
}

export function readKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('printable ASCII without spaces')
  return text
}

export function readCount(max = 1_000_000): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number > max) throw new Error(`a whole number from 0 to ${max}`)
    return number
  }
}

export function readBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error('true or false')
  return text === 'true'
}

export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Error('a URL that begins with http:// or https:// and contains no password')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

export function isRedisAddress(text: string): boolean {
  return /^rediss?:\/\//.test(text)
}

export function readStore(text: string): string {
  const isAddress = isRedisAddress(text) && URL.canParse(text)
  if (!isAddress && (text.trim() === '' || text.includes('://'))) {
    throw new Error('an address such as redis://localhost:6379, or a folder')
  }
  return text
}

export function readOrigins(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const origin = part.trim()
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    if (origin !== '*' && !isOrigin) throw new Error('an origin such as https://example.org, or *')
    return origin
  })
}

export function readNames(text: string): readonly string[] {
  const names = text.split(',').map((part) => part.trim())
  if (names.includes('')) throw new Error('one or more names, separated by commas')
  return names
}

export function readAliases(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const alias = part.trim()
    if (!/^[^=]+=[^=]+$/.test(alias)) throw new Error('a name and a model, such as tts-1=svc-tts-2')
    return alias
  })
}

export function readOneOf<Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((choice) => choice === text)
    if (!choice) throw new Error(`one of ${choices.join(', ')}`)
    return choice
  }
}
