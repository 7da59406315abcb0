// npm start: installs, builds, and starts a Node-RED that speaks.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, repository } from './prepare.js'
import { runNode } from './run.js'

const help = `npm start -- [options]
  --port PORT       the port of Node-RED on this machine (default: 1880)
  --folder FOLDER   the folder for flows and files (default: .parlando)
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '1880' },
    folder: { type: 'string', default: '.parlando' },
    help: { type: 'boolean' },
  },
})

if (values.help) {
  process.stdout.write(help)
} else {
  await prepare()
  const program = join(repository, 'scripts/node-red.js')
  process.exitCode = await runNode([program, values.port, values.folder])
}
