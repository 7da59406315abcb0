import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome')

type Import = [file: string, imported: string]

const allowed: Import[] = [
  ['packages/core/src/wire/new.ts', 'zod'],
  ['packages/core/src/wire/new.ts', './speech.ts'],
  ['packages/core/src/audio/new.ts', '../wire/audio-config.ts'],
  ['packages/core/src/text/new.ts', './sentence-end.ts'],
  ['packages/core/src/http/transport.ts', 'undici'],
  ['packages/core/src/endpoints/new/new.ts', '../../audio/wav.ts'],
  ['packages/local-service/src/api/new.ts', '@parlando/core/wire'],
  ['packages/local-service/src/speaking/new.ts', '@parlando/core/audio'],
  ['packages/local-service/src/engines/parlando/new.ts', '@parlando/core'],
  ['packages/store/src/new.ts', 'lru-cache'],
  ['packages/webrtc/src/new.ts', 'werift'],
  ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/core'],
  ['packages/node-red-nodes/src/kept-sound/new.ts', '@parlando/store'],
  ['packages/node-red-nodes/src/nodes/new/new.ts', '../../runtime/runner.ts'],
  ['packages/node-red-nodes/src/nodes/service/new.ts', '@parlando/local-service/process'],
]

const rejected: Import[] = [
  ['packages/core/src/wire/new.ts', '../errors.ts'],
  ['packages/core/src/audio/new.ts', '../client.ts'],
  ['packages/core/src/text/new.ts', '../audio/wav.ts'],
  ['packages/core/src/client.ts', 'undici'],
  ['packages/core/src/endpoints/new/new.ts', 'node:fs'],
  ['packages/core/src/http/transport.ts', '@parlando/local-service'],
  ['packages/local-service/src/api/new.ts', '@parlando/core'],
  ['packages/local-service/src/api/new.ts', '../../../core/src/client.ts'],
  ['packages/local-service/src/api/app.ts', 'undici'],
  ['packages/local-service/src/engines/new/new.ts', '@parlando/core'],
  ['packages/local-service/src/engines/parlando/new.ts', 'undici'],
  ['packages/local-service/src/engines/parlando/new.ts', '../../../../core/src/client.ts'],
  ['packages/local-service/src/api/new.ts', 'werift'],
  ['packages/store/src/new.ts', '@parlando/core'],
  ['packages/webrtc/src/new.ts', '@parlando/local-service'],
  ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/local-service'],
  ['packages/node-red-nodes/src/nodes/new/new.ts', '@parlando/local-service/process'],
  ['packages/node-red-nodes/src/nodes/service/new.ts', '@parlando/local-service'],
  ['packages/node-red-nodes/src/nodes/new/new.ts', '../../../../core/src/client.ts'],
  ['packages/node-red-nodes/src/runtime/new.ts', 'zod'],
]

/** Lints all imports in one run. @returns those that an import rule rejects. */
function findRejected(imports: Import[]): Import[] {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-import-rules-'))
  try {
    copyFileSync(join(repository, 'biome.json'), join(folder, 'biome.json'))
    const files = [...new Set(imports.map(([file]) => file))]
    for (const file of files) {
      const lines = imports.map(([from, imported]) => (from === file ? `import '${imported}'` : ''))
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      // Every file that Biome lints reports its debugger statement.
      writeFileSync(path, [...lines, 'debugger'].join('\n'))
    }
    const lintArguments = [
      'lint',
      '--vcs-enabled=false',
      '--max-diagnostics=none',
      '--reporter=github',
    ]
    const run = spawnSync(process.execPath, [biome, ...lintArguments], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(run.stdout.match(/noDebugger/g)).toHaveLength(files.length)
    // The line of a finding is the number of its import.
    const found = run.stdout.matchAll(/title=lint\/style\/noRestrictedImports,.*?\bline=(\d+)/g)
    return [...found].map(([, line]) => imports[Number(line) - 1]!)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the import rules', () => {
  let found: Import[]
  beforeAll(() => {
    found = findRejected([...allowed, ...rejected])
  })

  it.each(allowed)('let %s import %s', (...one) => {
    expect(found).not.toContainEqual(one)
  })

  it.each(rejected)('do not let %s import %s', (...one) => {
    expect(found).toContainEqual(one)
  })
})
