import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-import-rules-'))
  copyFileSync(join(repository, 'biome.json'), join(folder, 'biome.json'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** @returns whether the check lets a file of the house import this. */
function isAllowed(file: string, imported: string): boolean {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `import * as it from '${imported}'\nexport const all = it\n`)
  const run = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', path], {
    cwd: folder,
    encoding: 'utf8',
  })
  const output = run.stdout + run.stderr
  expect(output).toContain('Checked 1 file')
  return !output.includes('noRestrictedImports')
}

describe('the import rules', () => {
  it.each([
    ['packages/core/src/wire/new.ts', 'zod'],
    ['packages/core/src/wire/new.ts', './speech.ts'],
    ['packages/core/src/audio/new.ts', '../wire/audio-config.ts'],
    ['packages/core/src/text/new.ts', './sentence-end.ts'],
    ['packages/core/src/http/transport.ts', 'undici'],
    ['packages/core/src/endpoints/new/new.ts', '../../audio/wav.ts'],
    ['packages/local-service/src/api/new/route.ts', '@parlando/core/wire'],
    ['packages/local-service/src/speech/new.ts', '@parlando/core/audio'],
    ['packages/local-service/src/engines/upstream/new.ts', '@parlando/core'],
    ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/core'],
    ['packages/node-red-nodes/src/nodes/new/new.ts', '../../shared/runner.ts'],
    ['packages/node-red-nodes/src/nodes/service/new.ts', '@parlando/local-service/process'],
  ])('let %s import %s', (file, imported) => {
    expect(isAllowed(file, imported)).toBe(true)
  })

  it.each([
    ['packages/core/src/wire/new.ts', '../errors.ts'],
    ['packages/core/src/audio/new.ts', '../client.ts'],
    ['packages/core/src/text/new.ts', '../audio/wav.ts'],
    ['packages/core/src/client.ts', 'undici'],
    ['packages/core/src/endpoints/new/new.ts', 'node:fs'],
    ['packages/core/src/http/transport.ts', '@parlando/local-service'],
    ['packages/local-service/src/api/new/route.ts', '@parlando/core'],
    ['packages/local-service/src/api/new/route.ts', '../../../../core/src/client.ts'],
    ['packages/local-service/src/api/app.ts', 'undici'],
    ['packages/local-service/src/engines/new/new.ts', '@parlando/core'],
    ['packages/local-service/src/engines/upstream/new.ts', 'undici'],
    ['packages/local-service/src/engines/upstream/new.ts', '../../../../core/src/client.ts'],
    ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/local-service'],
    ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/local-service/process'],
    ['packages/node-red-nodes/src/nodes/service/new.ts', '@parlando/local-service'],
    ['packages/node-red-nodes/src/nodes/new/new.ts', '../../../../core/src/client.ts'],
    ['packages/node-red-nodes/src/shared/new.ts', 'zod'],
  ])('do not let %s import %s', (file, imported) => {
    expect(isAllowed(file, imported)).toBe(false)
  })
})
