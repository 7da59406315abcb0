// npm start: installs, builds, and starts a Node-RED that speaks.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, repository } from './prepare.js'
import { runNode } from './run-node.js'

const help = `npm start -- [options]
  --port PORT       the port of Node-RED on this machine (default: 1880)
  --folder FOLDER   the folder for flows and files (default: .parlando)
`

const values = readOptions()
if (!values) {
  process.exitCode = 1
} else if (values.help) {
  process.stdout.write(help)
} else {
  await prepare()
  const program = join(repository, 'scripts/node-red.js')
  process.exitCode = await runNode([program, values.port, values.folder])
}

/** @returns undefined after a message that names the option that is not valid. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '1880' },
        folder: { type: 'string', default: '.parlando' },
        help: { type: 'boolean' },
      },
    })
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) <= 65_535) return values
    const given = JSON.stringify(values.port)
    throw new Error(`--port must be a whole number from 0 to 65535, not ${given}`)
  } catch (error) {
    console.error(`${error.message}. Run npm start -- --help for the list of options`)
  }
}
