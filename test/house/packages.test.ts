import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keep } from '../support/kept.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-packages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Packs a package as it would be published. @returns the bytes of its archive. */
function pack(name: string): Uint8Array<ArrayBuffer> {
  const npmArguments = ['pack', '--json', '--pack-destination', folder]
  const printed = execFileSync('npm', npmArguments, {
    cwd: join(repository, 'packages', name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }]
  const archive = new Uint8Array(readFileSync(join(folder, filename)))
  keep('archives', gunzipSync(archive))
  return archive
}

describe('what is published', () => {
  it.each(['core', 'local-service', 'node-red-nodes'])('is in order: %s', async (name) => {
    const { messages } = await publint({
      pack: { tarball: pack(name).buffer },
      level: 'warning',
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it.each(['core', 'local-service'])(
    'has types that fit, by import and require: %s',
    async (name) => {
      const analysis = await checkPackage(createPackageFromTarballData(pack(name)), {
        // Programs to be started, not modules to be imported, and a description to be read.
        excludeEntrypoints: ['cli', /-worker$/, /-program$/, 'openapi.yaml'],
      })
      if (!analysis.types) throw new Error(`${name} has no types`)
      // Resolution as before Node 12 knows no `exports`; every Node that we run on does.
      const ofToday = analysis.problems.filter(
        (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10',
      )
      expect(ofToday).toEqual([])
      expect(Object.keys(analysis.entrypoints)).toContain('.')
    },
  )
})
