// Part of npm run release:publish: writes the address of the repository that builds a release into its packages. npm
// compares it with the proof of where they were built, and a copy of this repository publishes with an address of its own.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './prepare.js'

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
if (!server || !name) {
  console.error(
    'Releases are published by .github/workflows/release.yml: GITHUB_REPOSITORY is not set',
  )
  process.exit(1)
}

for (const folder of readdirSync(join(repository, 'packages'))) {
  const file = join(repository, 'packages', folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const address = `${server}/${name}`
  const directory = `packages/${folder}`
  manifest.homepage = `${address}/tree/HEAD/${directory}#readme`
  manifest.bugs = { url: `${address}/issues` }
  manifest.repository = { type: 'git', url: `git+${address}.git`, directory }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}
