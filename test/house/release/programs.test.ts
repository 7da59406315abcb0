import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { debianPackages, type Program } from '@parlando/test-support/programs/installed-programs'
import { describeMissing } from '@parlando/test-support/vitest/report-missing-programs'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

const testFiles = execFileSync('git', ['ls-files', '--', '*.test.ts'], {
  cwd: repository,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }))

/** What .ci/install-packages installs with these arguments. */
function installed(...lists: string[]): string[] {
  const program = join(repository, '.ci/install-packages')
  return execFileSync(program, ['--list', ...lists], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

function missingOf(programs: readonly Program[], packages: readonly string[]): string[] {
  return programs.map((program) => debianPackages[program]).filter((it) => !packages.includes(it))
}

describe('the programs that tests use', () => {
  const programs = Object.keys(debianPackages) as Program[]

  it('are all in packages that .ci/install-packages installs', () => {
    expect(missingOf(programs, installed())).toEqual([])
  })

  it('are all in packages that it installs for real models', () => {
    expect(missingOf(programs, installed('models'))).toEqual([])
  })

  it('are in packages that it installs for real systems, if those name them', () => {
    const ofSystems = testFiles.filter(({ path }) => path.endsWith('.systems.test.ts'))
    const named = programs.filter((name) =>
      ofSystems.some(({ text }) => text.includes(`'${name}'`)),
    )
    expect(named.length).toBeGreaterThan(2)
    expect(missingOf([...named, ...pulsePrograms], installed('systems'))).toEqual([])
  })

  it('are listed nowhere else in the workflows', () => {
    const folder = join(repository, '.github/workflows')
    const workflows = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(workflows.filter((text) => text.includes('apt-get'))).toEqual([])
  })

  it('are named by each test that is skipped without them', () => {
    const reasons =
      /\.(?:skip|skipIf|runIf)\((?!(?:isPosix|isWindows|canRestart)\)|process\.platform |zstdCompressSync\))/
    const withoutReason = testFiles.filter(({ text }) => reasons.test(text))
    expect(withoutReason.map(({ path }) => path)).toEqual([])
  })
})

describe('the end of a run', () => {
  it('says nothing if every test had its programs', () => {
    expect(describeMissing([{ missing: [], isSkipped: true }])).toBeUndefined()
  })

  it('names nothing to install if only something else is missing', () => {
    const summary = describeMissing([{ missing: ['a network'], isSkipped: true }])
    expect(summary).toMatch(/a network: 1 test skipped$/)
  })

  it('lists what was not tested, and how to install what is missing', () => {
    const summary = describeMissing([
      { missing: ['pacat', 'parec'], isSkipped: true },
      { missing: ['pacat', 'chromium'], isSkipped: true },
      { missing: ['pocketsphinx_continuous'], isSkipped: false },
      { missing: ['a network'], isSkipped: true },
    ])
    expect(summary?.split('\n')).toEqual([
      '',
      'Not tested here, for want of these Debian packages:',
      '  a network: 1 test skipped',
      '  chromium: 1 test skipped',
      '  pocketsphinx: pocketsphinx_continuous; 1 test without recognising the words',
      '  pulseaudio-utils: pacat, parec; 2 tests skipped',
      'To test everything: sudo apt-get install chromium pocketsphinx pulseaudio-utils',
    ])
  })
})
