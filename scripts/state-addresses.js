// Part of npm run release:publish: writes the address of the repository that builds a release into its packages, and into
// the links of what they say about themselves, which is read where nothing lies beside it. npm compares the address with
// the proof of where they were built, and a copy of this repository publishes with an address of its own.
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

const address = `${server}/${name}`
for (const folder of readdirSync(join(repository, 'packages'))) {
  const directory = `packages/${folder}`
  stateInManifest(directory)
  stateInReadme(directory)
}

function stateInManifest(directory) {
  const file = join(repository, directory, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  manifest.homepage = `${address}/tree/HEAD/${directory}#readme`
  manifest.bugs = { url: `${address}/issues` }
  manifest.repository = { type: 'git', url: `git+${address}.git`, directory }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

function stateInReadme(directory) {
  const file = join(repository, directory, 'README.md')
  const text = readFileSync(file, 'utf8').replaceAll(
    /(!?)(\[[^\]]*\])\(\.\.\/\.\.\/([^)]+)\)/g,
    (_link, picture, what, path) =>
      `${picture}${what}(${address}/${picture ? 'raw' : 'blob'}/HEAD/${path})`,
  )
  writeFileSync(file, text)
}
