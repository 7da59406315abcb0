// npm run release:addresses: writes the address of the building repository into each package.json, and turns the
// relative links of each README into absolute ones, because npm shows a README without the rest of the repository. npm
// compares the address with the provenance, and a fork publishes with its own address.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './prepare.js'

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
if (!server || !name) {
  console.error(
    'GITHUB_REPOSITORY is not set: only .github/workflows/release.yml publishes releases',
  )
  process.exit(1)
}

const address = `${server}/${name}`
for (const folder of readdirSync(join(repository, 'packages'))) {
  const directory = `packages/${folder}`
  const manifest = JSON.parse(readFileSync(join(repository, directory, 'package.json'), 'utf8'))
  if (manifest.private) continue
  stateInManifest(directory, manifest)
  stateInReadme(directory)
}

function stateInManifest(directory, manifest) {
  manifest.homepage = `${address}/tree/HEAD/${directory}#readme`
  manifest.bugs = { url: `${address}/issues` }
  manifest.repository = { type: 'git', url: `git+${address}.git`, directory }
  const file = join(repository, directory, 'package.json')
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
