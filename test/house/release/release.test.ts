import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const packages = ['core', 'local-service', 'voices', 'store', 'webrtc', 'node-red-nodes'].map(
  (name) => `packages/${name}`,
)

function readManifest(path: string, root = repository) {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
}

describe('a release', () => {
  it('has one version for all packages and their dependencies on each other', () => {
    const manifests = packages.map((path) => readManifest(path))
    const [{ version }] = manifests
    for (const manifest of manifests) {
      expect(manifest.version).toBe(version)
      for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
        if (name.startsWith('@parlando/')) expect(`${name} ${range}`).toBe(`${name} ${version}`)
      }
    }
  })

  it.each(packages)('is in the change log of %s', (path) => {
    const changes = readFileSync(join(repository, path, 'CHANGELOG.md'), 'utf8')
    const { name, version } = readManifest(path)
    expect(changes.startsWith(`# ${name}\n\n## ${version}\n`)).toBe(true)
  })

  it('carries the address of the repository that builds it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlando-release-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const ofPackages = packages.flatMap((path) => [`${path}/package.json`, `${path}/README.md`])
    const privatePackage = 'packages/test-support/package.json'
    for (const path of ['scripts', 'package.json', privatePackage, ...ofPackages]) {
      cpSync(join(repository, path), join(folder, path), { recursive: true })
    }
    const script = join(folder, 'scripts/state-addresses.js')
    const { GITHUB_REPOSITORY: _, ...env } = process.env
    expect(spawnSync(process.execPath, [script], { env, encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('GITHUB_REPOSITORY is not set'),
    })

    const addressed = {
      ...env,
      GITHUB_SERVER_URL: 'https://git.example',
      GITHUB_REPOSITORY: 'us/ours',
    }
    execFileSync(process.execPath, [script], { env: addressed })
    for (const path of packages) {
      expect(readManifest(path, folder)).toEqual({
        ...readManifest(path),
        homepage: `https://git.example/us/ours/tree/HEAD/${path}#readme`,
        bugs: { url: 'https://git.example/us/ours/issues' },
        repository: { type: 'git', url: 'git+https://git.example/us/ours.git', directory: path },
      })
    }
    const readme = (name: string) =>
      readFileSync(join(folder, `packages/${name}/README.md`), 'utf8')
    expect(readme('core')).toContain('](https://git.example/us/ours/blob/HEAD/docs/core.md)')
    expect(readme('node-red-nodes')).toContain('](https://git.example/us/ours/raw/HEAD/docs/')
    for (const path of packages) {
      const text = readFileSync(join(folder, path, 'README.md'), 'utf8')
      expect(text).not.toMatch(/\]\((?!https?:)/)
    }
  })
})
