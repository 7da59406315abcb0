import { flagOf, variableOf } from './command-line.ts'
import type { Option, OptionTable } from './option.ts'

/** The text of `parlando-local --help`. */
export function helpText(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, option]) => ({
    flag: usageOf(name, option),
    help: `${option.help}${noteOn(option)} (${commandDefaultOf(option)})`,
    variable: variableOf(name),
  }))
  const width = Math.max(...rows.map(({ flag }) => flag.length))
  const lines = rows.flatMap(({ flag, help, variable }) => [
    `  ${flag.padEnd(width)}  ${help}`,
    `  ${''.padEnd(width)}  ${variable}`,
  ])
  return `parlando-local: the speech service's API with real speech on this machine

Each option can also be set by the environment variable below it. The option overrides the variable.

${lines.join('\n')}
  ${'--help'.padEnd(width)}  show this text
  ${'--version'.padEnd(width)}  show the version

Natural voices, recognisers and wake words for this machine: parlando-local voices --help, parlando-local recognisers --help,
parlando-local wake-words --help

Once it runs, ${'`'}curl ADDRESS/healthz${'`'} shows whether it can speak, and ADDRESS/openapi.yaml describes every endpoint.
`
}

function usageOf(name: string, option: Option<unknown>): string {
  return `--${flagOf(name, option)} ${option.placeholder ?? ''}`.trim()
}

function noteOn({ isSecret, isList }: Option<unknown>): string {
  if (isSecret) return '; prefer the environment variable'
  return isList ? '; repeatable' : ''
}

/** The same options as a Markdown table, for the documentation. */
export function optionsAsMarkdown(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, option]) => {
    return `| \`${usageOf(name, option)}\` | \`${variableOf(name)}\` | ${option.help} | ${defaultsOf(option)} |`
  })
  const head = ['| option | environment variable | meaning | default |', '|---|---|---|---|']
  return [...head, ...rows].join('\n')
}

function defaultsOf(option: Option<unknown>): string {
  const ofCommand = commandDefaultOf(option)
  if (option.commandDefault === undefined) return ofCommand
  return `${ofCommand}; in a program: ${textOf(option.default)}`
}

function commandDefaultOf(option: Option<unknown>): string {
  return option.shownDefault ?? textOf(option.commandDefault ?? option.default)
}

function textOf(value: unknown): string {
  return String(value ?? '') || 'none'
}
