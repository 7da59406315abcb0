// npm run bench -- NAME: measures one thing. Every file of bench/ is such a bench; what follows its name goes to it.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, repository } from './prepare.js'
import { runNode } from './run.js'

const folder = join(repository, 'bench')
const benchesWithPeers = ['decode', 'http', 'streams']
const known = readdirSync(folder)
  .filter((fileName) => fileName.endsWith('.js'))
  .map((fileName) => fileName.slice(0, -'.js'.length))
const [name, ...benchArguments] = process.argv.slice(2)

if (known.includes(name)) {
  await prepare()
  if (benchesWithPeers.includes(name)) installPeers()
  process.exitCode = await runNode([`bench/${name}.js`, ...benchArguments])
} else {
  const problem = name ? `There is no bench named ${name}.` : 'Which bench?'
  console.error(`${problem} Choose one of: ${known.join(', ')}, as in npm run bench -- ${known[0]}`)
  process.exitCode = 1
}

/** What others offer is only for comparison, so it is not part of the install that everybody needs. */
function installPeers() {
  const installedAt = modifiedAt('node_modules/.package-lock.json')
  if (installedAt >= modifiedAt('package-lock.json')) return
  const startedAt = performance.now()
  process.stdout.write('Installing what to compare with ... ')
  const npmArguments = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stdout, stderr } = spawnSync('npm', npmArguments, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`failed:\n${stdout}${stderr}\nIn bench/, npm ${npmArguments.join(' ')} failed`)
    process.exit(1)
  }
  console.log(`done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** Milliseconds; 0 for what does not exist. */
function modifiedAt(path) {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
