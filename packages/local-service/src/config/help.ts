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

When it runs, ${'`'}curl ADDRESS/healthz${'`'} says whether it can speak, and ADDRESS/openapi.yaml what it understands.
`
}

/** What a person reads when the service is ready: a line to try, which never shows the key. */
export function firstSteps(baseUrl: string, hasKey: boolean): string {
  const key = hasKey ? ' -H "Authorization: Basic $PARLANDO_LOCAL_API_KEY"' : ''
  const body = '{"text":"Good morning.","voiceId":"Clara","modelId":"svc-tts-2"}'
  const toFile = `sed 's/.*"audioContent":"\\([^"]*\\)".*/\\1/' | base64 --decode > hello.mp3`
  return `Speaking at ${baseUrl}

  To hear it, run this and play hello.mp3:
  curl -s${key} ${baseUrl}/tts/v1/voice -d '${body}' | ${toFile}

  Voices: ${baseUrl}/voices/v1/voices   Health: ${baseUrl}/healthz   To end it: Ctrl+C
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
