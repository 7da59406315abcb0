// npm start: from a fresh clone to a Node-RED that speaks.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, repository } from './prepare.js'
import { runNode } from './run.js'

const help = `npm start -- [options]
  --port PORT       where Node-RED listens on this machine (1880)
  --folder FOLDER   where it keeps its flows and files (.parlando)
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
