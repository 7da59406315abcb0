import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type LocalServiceOptions, type LogLevel, logLevels } from './options.ts'

/** An option as a person sets it, by flag or by environment variable. */
interface Setting<Value> {
  /** What stands for the value in the help. */
  value: string
  says: string
  /** As the help tells it. */
  default: string
  /** @throws {Error} with what is needed instead. */
  read(text: string): Value
  /** Arguments can be read by every user of the machine: better set by the environment. */
  isSecret?: true
  isList?: true
}

type Settings = {
  [Name in keyof LocalServiceOptions]-?: Setting<NonNullable<LocalServiceOptions[Name]>>
}

/** Where `parlando-local` has another default than `startLocalService`. */
export const commandDefaults = {
  port: 8080,
  dataFolder: join(homedir(), '.parlando'),
  logLevel: 'info',
} satisfies LocalServiceOptions

/** Every setting there is. Its flag and variable follow from its name: `maxVoices`, `--max-voices`, `PARLANDO_LOCAL_MAX_VOICES`. */
export const settings: Settings = {
  host: {
    value: 'ADDRESS',
    says: 'where to listen; a key is needed where others can reach it',
    default: '127.0.0.1',
    read: readText,
  },
  port: { value: 'NUMBER', says: '0 takes any free port', default: '8080', read: count(65_535) },
  apiKey: {
    value: 'KEY',
    says: 'the key every request must carry',
    default: 'none: any key is good',
    read: readKey,
    isSecret: true,
  },
  dataFolder: {
    value: 'FOLDER',
    says: 'where cloned and designed voices are kept',
    default: '~/.parlando',
    read: readText,
  },
  maxVoices: {
    value: 'NUMBER',
    says: 'how many cloned and designed voices are kept',
    default: '100',
    read: count(),
  },
  maxWaitingPhrases: {
    value: 'NUMBER',
    says: 'phrases that may wait to be spoken before more are refused',
    default: '200',
    read: count(),
  },
  chatUpstream: {
    value: 'URL',
    says: 'an API of the OpenAI form that answers chats, such as http://127.0.0.1:11434/v1',
    default: 'none',
    read: readAddress,
  },
  chatUpstreamKey: {
    value: 'KEY',
    says: 'the key that the chat upstream wants',
    default: 'none',
    read: readKey,
    isSecret: true,
  },
  upstream: {
    value: 'URL',
    says: 'another speech service of this protocol, whose voices are offered too',
    default: 'none',
    read: readAddress,
  },
  upstreamKey: {
    value: 'KEY',
    says: 'the key that the upstream wants',
    default: 'none',
    read: readKey,
    isSecret: true,
  },
  sherpaModels: {
    value: 'FOLDER',
    says: 'models for sherpa-onnx, whose voices are offered too',
    default: 'none',
    read: readText,
  },
  allowOrigins: {
    value: 'ORIGIN',
    says: 'a web page that may use the service, such as https://example.org; * for all',
    default: 'none',
    read: readOrigins,
    isList: true,
  },
  logLevel: {
    value: 'LEVEL',
    says: `how much is logged: ${logLevels.join(', ')}`,
    default: 'info',
    read: readLogLevel,
  },
  stopLimitMs: {
    value: 'NUMBER',
    says: 'milliseconds that running speech gets to end when the service stops',
    default: '5000',
    read: count(600_000),
  },
}

type Name = keyof Settings

const names = Object.keys(settings) as Name[]

/** A list is given one by one: `--allow-origin A --allow-origin B`. */
export function flagOf(name: Name): string {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return settings[name].isList ? flag.replace(/s$/, '') : flag
}

export function variableOf(name: Name): string {
  return `PARLANDO_LOCAL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** What a person asked for on the command line. */
export interface Command {
  asks?: 'help' | 'version'
  options: LocalServiceOptions
}

/**
 * Reads flags and, where there is none, environment variables; an empty variable counts as none.
 * @throws {Error} naming the flag or the variable, never the value of a key.
 */
export function readCommand(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const flags = names.map((name) => [flagOf(name), { type: 'string', multiple: true }] as const)
  const values = parse(args, {
    ...Object.fromEntries(flags),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  })
  if (values['help']) return { asks: 'help', options: {} }
  if (values['version']) return { asks: 'version', options: {} }
  const given = names.flatMap((name) => {
    const texts = values[flagOf(name)] as string[] | undefined
    if (texts) return [[name, read(name, `--${flagOf(name)}`, onlyText(name, texts))]]
    const variable = variableOf(name)
    return env[variable] ? [[name, read(name, variable, env[variable])]] : []
  })
  return { options: { ...commandDefaults, ...Object.fromEntries(given) } }
}

function parse(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Record<string, string[] | true | undefined> {
  try {
    return parseArgs({ args: [...args], options }).values as Record<string, string[] | true>
  } catch (error) {
    throw new Error(`${(error as Error).message}. --help tells what there is`)
  }
}

/** The options as environment variables: how a child process gets them without anybody reading along. */
export function toEnvironment(options: LocalServiceOptions): Record<string, string> {
  const given = names.filter((name) => options[name] !== undefined)
  return Object.fromEntries(given.map((name) => [variableOf(name), String(options[name])]))
}

function onlyText(name: Name, texts: string[]): string {
  if (texts.length > 1 && !settings[name].isList) {
    throw new Error(`--${flagOf(name)}: given ${texts.length} times, and only one can hold`)
  }
  return texts.join(',')
}

function read(name: Name, source: string, text: string): unknown {
  try {
    return settings[name].read(text)
  } catch (error) {
    const given = settings[name].isSecret ? '' : `, not ${JSON.stringify(text)}`
    throw new Error(`${source}: ${(error as Error).message} is needed${given}`)
  }
}

function readText(text: string): string {
  if (text.trim() === '') throw new Error('a text')
  return text
}

function readKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('printable ASCII without blanks')
  return text
}

function count(max = 1_000_000): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number > max) throw new Error(`a whole number from 0 to ${max}`)
    return number
  }
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Error('an address that begins with http:// or https:// and holds no key')
  }
  return url.href.replace(/\/+$/, '')
}

function readOrigins(text: string): string[] {
  return text.split(',').map((part) => {
    const origin = part.trim()
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    if (origin !== '*' && !isOrigin) throw new Error('an origin such as https://example.org, or *')
    return origin
  })
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((level) => level === text)
  if (!level) throw new Error(`one of ${logLevels.join(', ')}`)
  return level
}
