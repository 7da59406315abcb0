import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { keep } from '@parlando/test-support/run-records'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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

/** Every thread and every WebAssembly of the service has its part in this. */
const program = `
  const dataFolder = process.argv.at(-1)
  const service = await startLocalService({ port: 0, logLevel: 'silent', dataFolder })
  const client = createClient({ baseUrl: service.baseUrl })
  const text = 'The laundry is done, and the dishes are clean. Now it is time for a cup of tea in the garden.'
  const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: 48000 }
  const request = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
  const { audio } = await client.synthesize(request)
  const clone = { displayName: 'Me', langCode: 'EN_US', removeBackgroundNoise: true }
  const { voice } = await client.cloneVoice({ ...clone, samples: [audio] })
  const cloned = await client.synthesize({ ...request, voiceId: voice.voiceId })
  await client.close()
  await service.close()
  console.log(audio.length, cloned.audio.length)`

it('has its command from the install on, which goes before the build', () => {
  const command = join(repository, 'node_modules/.bin/parlando-local')
  expect(readlinkSync(command)).toBe('../@parlando/local-service/bin/parlando-local.js')
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
})

describe('what is published', () => {
  it.each([
    [
      'import',
      'module',
      `import { createClient } from '@parlando/core'
       import { startLocalService } from '@parlando/local-service'
       ${program}`,
    ],
    [
      'require',
      'commonjs',
      `const { createClient } = require('@parlando/core')
       const { startLocalService } = require('@parlando/local-service')
       void (async () => {${program}})()`,
    ],
  ])('speaks and clones when it is loaded by %s', (_how, type, program) => {
    const nodeArguments = [`--input-type=${type}`, '--eval', program, folder]
    const options = { cwd: repository, encoding: 'utf8' } as const
    const printed = execFileSync(process.execPath, nodeArguments, options)
    const [spokenBytes, clonedBytes] = printed.split(' ').map(Number)
    const secondBytes = 48_000 * 2
    expect(spokenBytes).toBeGreaterThan(5 * secondBytes)
    expect(clonedBytes).toBeGreaterThan(4 * secondBytes)
  })

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
