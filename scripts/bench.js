// npm run bench -- NAME: measures one thing. Every file of bench/ is such a bench; what follows its name goes to it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { install, prepare, repository } from './prepare.js'
import { runNode } from './run.js'

// What others offer is only for comparison, so it is not part of the install that everybody needs.
const benchesWithPeers = ['decode', 'http', 'streams']
const known = readdirSync(join(repository, 'bench'))
  .filter((fileName) => fileName.endsWith('.js'))
  .map((fileName) => fileName.slice(0, -'.js'.length))
const [name, ...benchArguments] = process.argv.slice(2)

if (known.includes(name)) {
  await prepare()
  if (benchesWithPeers.includes(name)) await install('Installing what to compare with', 'bench')
  process.exitCode = await runNode([`bench/${name}.js`, ...benchArguments])
} else {
  const problem = name ? `There is no bench named ${name}.` : 'Which bench?'
  console.error(`${problem} Choose one of: ${known.join(', ')}, as in npm run bench -- ${known[0]}`)
  process.exitCode = 1
}
