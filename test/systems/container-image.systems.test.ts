import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { requireInCI } from '@parlando/test-support/programs/installed-programs'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Buildah, buildImage } from './container-image/build-image.ts'

const programs = ['buildah', 'debootstrap'].filter((name) => spawnSync(name, ['--version']).error)
requireInCI(programs)
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
const missing = [...programs, ...(mayMount ? [] : ['the right to mount folders'])]
const skip = missing.length > 0

describe('the image of deploy/Dockerfile', { skip, meta: { missing } }, () => {
  let buildah: Buildah
  let container: string

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlando-image-'))
    buildah = new Buildah(folder)
    container = await buildah.run('from', await buildImage(buildah, folder))
  }, 1_800_000)

  afterAll(() => buildah?.remove(), 120_000)

  const inContainer = (...command: string[]) =>
    buildah.run('run', '--isolation', 'chroot', container, '--', ...command)

  it('has what the service needs to run, and nothing that only builds or tests it', async () => {
    const modules = (await inContainer('ls', '/app/node_modules')).split('\n')
    expect(modules).toEqual(expect.arrayContaining(['@parlando', 'hono', 'prom-client']))
    for (const name of ['vitest', 'typescript', 'tsup', 'node-red', 'playwright-core'])
      expect(modules).not.toContain(name)
    expect((await inContainer('ls', '/app/packages')).split('\n')).toEqual([
      'core',
      'local-service',
      'store',
      'voices',
    ])
  })

  it('runs as a user without rights, and can write only its data', async () => {
    expect(await inContainer('id', '--user')).toBe('1000')
    await inContainer('touch', '/data/written')
    await expect(inContainer('touch', '/app/written')).rejects.toThrow('Permission denied')
  })

  it('speaks, is healthy, and stops when it is asked', async () => {
    const { Cmd: command, Healthcheck: check } = await configOf(buildah, container)
    const port = String(await freePort())
    const apiKey = keys.service
    const settings = { PARLANDO_LOCAL_PORT: port, PARLANDO_LOCAL_API_KEY: apiKey }
    const environment = Object.entries(settings).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ])
    const options = buildah.argumentsOf(
      ...['run', '--isolation', 'chroot', ...environment, container, '--', ...command],
    )
    const service = spawn('buildah', options, { stdio: 'ignore' })
    const exited = once(service, 'exit')
    const baseUrl = `http://127.0.0.1:${port}`
    try {
      await untilHealthy(baseUrl)
      const client = createClient({ baseUrl, apiKey })
      const { voices } = await client.listVoices()
      const { audio } = await client.synthesize({
        text: 'The laundry is done.',
        voiceId: voices[0]!.voiceId,
      })
      expect(audio.length).toBeGreaterThan(5000)
      const [, ...healthy] = check.Test.map((part) => part.replace(':8080', `:${port}`))
      await inContainer(...healthy)
    } finally {
      // To the process in the container, as a container runtime does; not to buildah, which names it too.
      const program = '^/usr/local/bin/node .*/app/packages/local-service/dist/cli.js$'
      spawnSync('pkill', ['-TERM', '--full', program])
    }
    expect(await exited).toEqual([0, null])
  }, 240_000)
})

interface ImageConfig {
  Cmd: string[]
  Healthcheck: { Test: string[] }
}

async function configOf(buildah: Buildah, container: string): Promise<ImageConfig> {
  const { Docker } = JSON.parse(await buildah.run('inspect', container))
  return Docker.config
}

async function untilHealthy(baseUrl: string): Promise<void> {
  const isHealthy = async () => (await fetch(`${baseUrl}/healthz`)).ok
  await vi.waitFor(async () => expect(await isHealthy()).toBe(true), { timeout: 120_000 })
}
