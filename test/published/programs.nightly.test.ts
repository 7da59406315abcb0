import { execFileSync } from 'node:child_process'
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-programs-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs every thread and every WebAssembly module of the service. */
const program = `
  const dataFolder = process.argv.at(-1)
  const service = await startLocalService({ port: 0, logLevel: 'silent', warmUp: false, dataFolder })
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

const waysToLoad = [
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
] as const

it('the install links the command before the build', () => {
  const command = join(repository, 'node_modules/.bin/parlando-local')
  expect(readlinkSync(command)).toBe('../@parlando/local-service/bin/parlando-local.js')
  expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
})

describe('the built packages', () => {
  it.each(waysToLoad)('speak and clone when a program loads them by %s', (_how, type, program) => {
    const nodeArguments = [`--input-type=${type}`, '--eval', program, folder]
    const options = { cwd: repository, encoding: 'utf8' } as const
    const printed = execFileSync(process.execPath, nodeArguments, options)
    const [spokenBytes, clonedBytes] = printed.split(' ').map(Number)
    const secondBytes = 48_000 * 2
    expect(spokenBytes).toBeGreaterThan(5 * secondBytes)
    expect(clonedBytes).toBeGreaterThan(4 * secondBytes)
  })
})
