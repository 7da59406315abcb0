#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { startLocalService } from './listen.ts'

const help = `parlando-local: the speech service's API with real speech on this machine

  --host HOST       where to listen (127.0.0.1: this machine alone)
  --port PORT       0 takes any free port (8080)
  --api-key KEY     the key that every request must carry (PARLANDO_LOCAL_API_KEY; none: any key is good)
  --help            this text
`

try {
  await main()
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isTaken = code === 'EADDRINUSE'
  console.error(isTaken ? 'The port is taken. Choose another one with --port.' : message)
  process.exit(1)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8080' },
      'api-key': { type: 'string', default: process.env['PARLANDO_LOCAL_API_KEY'] },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port: ${values.port} is not a port`)
  }
  if (process.send) endWithParent()
  const service = await startLocalService({ host: values.host, port, apiKey: values['api-key'] })
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
