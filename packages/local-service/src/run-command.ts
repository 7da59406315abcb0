import packageJson from '../package.json' with { type: 'json' }
import type { WyomingServerOptions } from './api/wyoming/wyoming-server.ts'
import { readCommand } from './config/command-line.ts'
import { helpText } from './config/help.ts'
import { type LocalServiceOptions, options as optionTable } from './options.ts'
import { startLocalService } from './service.ts'

/** How often a child process reports that it is still starting: loading models takes a while. */
const startReportMs = 5_000

/** Runs the command `parlando-local` with the arguments and the environment of this process. */
export async function runCommand(): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** The groups of commands, and the kind of models of each. */
const modelGroups = {
  voices: 'voice',
  recognisers: 'recogniser',
  'wake-words': 'wake-word',
} as const

async function main(): Promise<void> {
  const [group = '', ...rest] = process.argv.slice(2)
  if (Object.hasOwn(modelGroups, group)) {
    // The service does not need this code.
    const { runModelCommand } = await import('./model-management/commands/run-model-command.ts')
    return runModelCommand(modelGroups[group as keyof typeof modelGroups], rest)
  }
  const command = readCommand(optionTable, process.argv.slice(2), process.env)
  if (command.action === 'help') return void process.stdout.write(helpText(optionTable))
  if (command.action === 'version') return void process.stdout.write(`${packageJson.version}\n`)
  if (process.send) return runAsChild(command.options)
  const service = await startLocalService(command.options)
  let isStopping = false
  const stop = () => {
    // The second signal stops the service at once.
    if (isStopping) process.exit(1)
    isStopping = true
    void service.close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.stdout.write(firstSteps(service.baseUrl, command.options.apiKey !== undefined))
}

/** The first output of a running service: a line to try, which never contains the key. */
function firstSteps(baseUrl: string, hasKey: boolean): string {
  const key = hasKey ? ' -H "Authorization: Basic $PARLANDO_LOCAL_API_KEY"' : ''
  const body = '{"text":"Good morning.","voiceId":"Clara","modelId":"svc-tts-2"}'
  const toFile = `sed 's/.*"audioContent":"\\([^"]*\\)".*/\\1/' | base64 --decode > hello.mp3`
  return `Speaking at ${baseUrl}

  To try it, run this and play hello.mp3:
  curl -s${key} ${baseUrl}/tts/v1/voice -d '${body}' | ${toFile}

  Voices: ${baseUrl}/voices/v1/voices   Health: ${baseUrl}/healthz   Stop: Ctrl+C
`
}

/** Reports to the parent that it is still starting, then its address, and does what the parent asks for. */
async function runAsChild(options: LocalServiceOptions): Promise<void> {
  exitWithParent()
  const report = (message: { baseUrl?: string; problem?: string }) => process.send?.(message)
  const reporting = setInterval(() => report({}), startReportMs)
  const service = await startLocalService(options).finally(() => clearInterval(reporting))
  process.on('message', ({ wyoming }: { wyoming?: WyomingServerOptions }) => {
    service.offerWyoming(wyoming).catch((error: Error) => report({ problem: error.message }))
  })
  report({ baseUrl: service.baseUrl })
}

/** Lets a child process ignore Ctrl+C, which is meant for the parent, and exit when the parent disconnects or dies. */
function exitWithParent(): void {
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}
