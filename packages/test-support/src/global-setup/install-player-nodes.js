import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { install } from '../../../../scripts/prepare.js'

const folder = 'test/player-nodes'
/** Not in the lock file, because not every registry has them. Without them, their tests are skipped. */
const others = { 'node-red-contrib-castv2': '4.2.0', 'node-red-contrib-sonos-plus': '6.9.5' }

/** Installs the nodes of other packages that play announcements. */
export default async function setup() {
  await install('Installing the nodes of players', folder)
  for (const [name, version] of Object.entries(others)) {
    if (!existsSync(`${folder}/node_modules/${name}`)) await installOther(`${name}@${version}`)
  }
}

async function installOther(name) {
  const npmArguments = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', name]
  const shell = process.platform === 'win32'
  await promisify(execFile)('npm', npmArguments, { cwd: folder, shell }).catch(() =>
    console.log(`The registry has no ${name}`),
  )
}
