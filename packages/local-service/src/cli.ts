import packageJson from '../package.json' with { type: 'json' }
import { firstSteps, helpText } from './config/help.ts'
import { readCommand } from './config/settings.ts'
import { startLocalService } from './service.ts'

try {
  await main()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function main(): Promise<void> {
  const { asks, options } = readCommand(process.argv.slice(2), process.env)
  if (asks === 'help') return void process.stdout.write(helpText())
  if (asks === 'version') return void process.stdout.write(`${packageJson.version}\n`)
  if (process.send) endWithParent()
  const service = await startLocalService(options)
  if (process.send) {
    process.send({ baseUrl: service.baseUrl })
    return
  }
  let isStopping = false
  const stop = () => {
    // Asked twice means at once.
    if (isStopping) process.exit(1)
    isStopping = true
    void service.close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.stdout.write(firstSteps(service.baseUrl, options.apiKey !== undefined))
}

/** Started by another process: Ctrl+C is for that one, and this one ends when that one lets go of it or dies. */
function endWithParent(): void {
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}
