// npm run bench -- NAME: runs one benchmark. Each script in bench/ is a benchmark and receives the remaining arguments.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { install, prepare, repository } from './prepare.js'
import { runNode } from './run-node.js'

// Other clients are only for comparison, so they are not part of the normal install.
const benchesWithPeers = ['decode', 'http', 'streams']
const known = readdirSync(join(repository, 'bench'))
  .filter((fileName) => fileName.endsWith('.js'))
  .map((fileName) => fileName.slice(0, -'.js'.length))
const [name, ...benchArguments] = process.argv.slice(2)

if (known.includes(name)) {
  await prepare()
  if (benchesWithPeers.includes(name))
    await install('Installing other clients to compare with', 'bench')
  if (name === 'voices' && benchArguments.includes('--quality'))
    await install('Installing the optional engines', 'test/optional')
  process.exitCode = await runNode([`bench/${name}.js`, ...benchArguments])
} else {
  const problem = name ? `There is no benchmark named ${name}.` : 'No benchmark named.'
  console.error(`${problem} Choose one of: ${known.join(', ')}, as in npm run bench -- ${known[0]}`)
  process.exitCode = 1
}
