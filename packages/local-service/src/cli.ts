#!/usr/bin/env node
import packageJson from '../package.json' with { type: 'json' }
import { helpText } from './help.ts'
import { startLocalService } from './listen.ts'
import { readCommand } from './settings.ts'

try {
  await main()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function main(): Promise<void> {
  const { asks, options } = readCommand(process.argv.slice(2), process.env)
  if (asks)
    return void process.stdout.write(asks === 'help' ? helpText() : `${packageJson.version}\n`)
  if (process.send) endWithParent()
  const service = await startLocalService(options)
  if (process.send) {
    process.send({ baseUrl: service.baseUrl })
    return
  }
  const stop = () => void service.close().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  console.log(`Speaking at ${service.baseUrl}`)
}

/** Started by another process: Ctrl+C is for that one, and this one ends when that one lets go of it or dies. */
function endWithParent(): void {
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}
