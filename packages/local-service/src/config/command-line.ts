import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Option, OptionTable, OptionValues } from './option.ts'

/** What a command line requests. */
export type Command<Values> =
  | { action: 'help' }
  | { action: 'version' }
  | {
      action: 'start'
      /** The given values, and the defaults of the command. */
      options: Values
    }

/** The flag of an option: `maxVoices` is `max-voices`. A list has a flag for one item: `--allow-origin A --allow-origin B`. */
export function flagOf(name: string, { isList }: Option<unknown>): string {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return isList ? flag.replace(/(?<=s)es$|s$/, '') : flag
}

/**
 * Reads flags and environment variables. A flag overrides its variable; an empty variable counts as unset.
 * @throws {Error} naming the flag or the variable, never the value of a key.
 */
export function readCommand<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Command<OptionValues<Table>> {
  const entries = Object.entries(table).map(([name, option]) => ({
    name,
    option,
    flag: flagOf(name, option),
    variable: variableOf(name),
  }))
  const flags = entries.map(({ flag, option }) => {
    const type = option.placeholder ? 'string' : 'boolean'
    return [flag, { type, multiple: true }] as const
  })
  const given = parseFlags(args, {
    ...Object.fromEntries(flags),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  })
  if (given['help']) return { action: 'help' }
  if (given['version']) return { action: 'version' }
  const values = entries.map(({ name, option, flag, variable }) => {
    const texts = (given[flag] as (string | true)[] | undefined)?.map(String)
    const text = texts ? joinTexts(texts, flag, option) : environment[variable]
    if (!texts && !text) return [name, option.commandDefault]
    return [name, readValue(option, texts ? `--${flag}` : variable, text ?? '')]
  })
  const options = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  return { action: 'start', options }
}

function parseFlags(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Record<string, (string | true)[] | true | undefined> {
  try {
    return parseArgs({ args: [...args], options }).values as Record<
      string,
      (string | true)[] | true
    >
  } catch (error) {
    throw new Error(`${(error as Error).message}. Run with --help for the list of options`)
  }
}

function joinTexts(texts: readonly string[], flag: string, { isList }: Option<unknown>): string {
  if (texts.length > 1 && !isList) {
    throw new Error(`--${flag} is given ${texts.length} times; give it once`)
  }
  return texts.join(',')
}

function readValue(option: OptionTable[string], source: string, text: string): unknown {
  try {
    return option.read(text)
  } catch (error) {
    const given = option.isSecret ? '' : `, not ${JSON.stringify(text)}`
    throw new Error(`${source} must be ${(error as Error).message}${given}`)
  }
}

/** The environment variable of an option: `maxVoices` is `PARLANDO_LOCAL_MAX_VOICES`. */
export function variableOf(name: string): string {
  return `PARLANDO_LOCAL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/**
 * Options as environment variables, for a child process. Unlike command-line arguments, other users of the machine
 * cannot read them.
 */
export function toEnvironment(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [variableOf(name), String(value)]))
}
