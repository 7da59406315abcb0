import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { packages } from '@parlando/test-support/published/published-packages'
import { saveRecord } from '@parlando/test-support/secrets/records'
import { casesToRun, isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'

const archives = await packPackages()
// Reading the archive of the voices, which contains hardly any code, takes as long as all others.
const light = packages.filter((path) => isThoroughRun || path !== 'packages/voices')

function readArchive(path: string): Uint8Array<ArrayBuffer> {
  const archive = new Uint8Array(readFileSync(archives[path]!.archive))
  saveRecord('archives', gunzipSync(archive))
  return archive
}

describe('a published package', () => {
  it.each(light)('passes publint: %s', async (path) => {
    const { messages } = await publint({
      pack: { tarball: readArchive(path).buffer },
      level: 'warning',
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it.each(light)('states the address of its repository: %s', (path) => {
    const archive = createPackageFromTarballData(readArchive(path))
    const manifest = JSON.parse(
      archive.readFile(`/node_modules/${archive.packageName}/package.json`),
    )
    expect(manifest).toMatchObject({
      repository: { url: 'git+https://github.com/parlando/parlando.git', directory: path },
      homepage: expect.stringContaining(path),
      bugs: { url: expect.stringMatching(/^https:/) },
    })
  })

  it.each(casesToRun(['packages/core', 'packages/local-service', 'packages/store'], 1))(
    'has types for import and require: %s',
    async (path) => {
      const analysis = await checkPackage(createPackageFromTarballData(readArchive(path)), {
        // Programs and a YAML file: no program imports them.
        excludeEntrypoints: ['cli', /-worker$/, /-program$/, 'openapi.yaml'],
      })
      if (!analysis.types) throw new Error(`${path} has no types`)
      // The resolution of Node 10 ignores `exports`; every supported Node reads them.
      const supported = analysis.problems.filter(
        (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10',
      )
      expect(supported).toEqual([])
      expect(Object.keys(analysis.entrypoints)).toContain('.')
    },
  )
})
