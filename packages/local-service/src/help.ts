import { flagOf, settings, variableOf } from './settings.ts'

const names = Object.keys(settings) as (keyof typeof settings)[]

/** The text of `parlando-local --help`. */
export function helpText(): string {
  const rows = names.map((name) => {
    const { value, says, default: standard, isSecret, isList } = settings[name]
    const notes = [isSecret && 'better by the environment', isList && 'again for more']
    const remark = notes.filter(Boolean).map((note) => `; ${note}`)
    return [
      `--${flagOf(name)} ${value}`,
      `${says}${remark.join('')} (${standard})`,
      variableOf(name),
    ]
  })
  const width = Math.max(...rows.map(([flag = '']) => flag.length))
  const lines = rows.flatMap(([flag = '', says, variable]) => [
    `  ${flag.padEnd(width)}  ${says}`,
    `  ${''.padEnd(width)}  ${variable}`,
  ])
  return `parlando-local: the speech service's API with real speech on this machine

Every option can be given by the environment variable under it too; where both are there, the option holds.

${lines.join('\n')}
  ${'--help'.padEnd(width)}  this text
  ${'--version'.padEnd(width)}  which version this is

When it runs, ${'`'}curl ADDRESS/healthz${'`'} tells how it is, and ADDRESS/openapi.yaml what it understands.
`
}

/** The same options as a table in Markdown, for the documentation. */
export function optionTable(): string {
  const rows = names.map((name) => {
    const { value, says, default: standard } = settings[name]
    return `| \`--${flagOf(name)} ${value}\` | \`${variableOf(name)}\` | ${says} | ${standard} |`
  })
  return ['| option | environment | what it is | default |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}
