import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { findSherpa } from '../sherpa-models/find-sherpa.ts'
import { installAddon } from './install-addon.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parlando-addon-'))
  return () => rm(root, { recursive: true })
})

/** Packs a package that consists of an empty module. */
async function packPackage(manifest: { name: string; version: string }): Promise<Buffer> {
  const files = { 'package.json': JSON.stringify(manifest), 'index.js': '' }
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name: `package/${name}`, size: body.length },
    body,
  }))
  return gzipSync(await packTar(entries))
}

/** Starts an npm registry with one package, and makes npm use it. */
async function startRegistry(name: string, versions: readonly string[]): Promise<void> {
  const archives = new Map<string, Buffer>()
  for (const version of versions) {
    archives.set(`/${version}.tgz`, await packPackage({ name, version }))
  }
  const server = createServer(({ url = '', headers: { host } }, response) => {
    const archive = archives.get(url)
    if (archive) return response.end(archive)
    if (url !== `/${name}`) return response.writeHead(404).end('{}')
    const about = versions.map((version) => {
      const path = `/${version}.tgz`
      const sha512 = createHash('sha512').update(archives.get(path)!).digest('base64')
      const dist = { tarball: `http://${host}${path}`, integrity: `sha512-${sha512}` }
      return [version, { name, version, dist }]
    })
    const tags = { latest: versions.at(-1) }
    const body = { name, 'dist-tags': tags, versions: Object.fromEntries(about) }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await listen(server)
}

async function listen(server: ReturnType<typeof createServer>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`)
  vi.stubEnv('npm_config_cache', join(root, 'cache'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
}

const { signal } = new AbortController()

/** npm takes seconds to start. */
const limit = { timeout: 60_000 }

it(
  'installAddon installs the newest version that the service can use, where it finds it',
  limit,
  async () => {
    await startRegistry('sherpa-onnx-node', ['1.12.0', '1.13.8', '1.14.2', '2.0.0'])
    const dataFolder = join(root, 'new/my data ^1')
    await installAddon(dataFolder, signal)
    const folder = join(dataFolder, 'node_modules/sherpa-onnx-node')
    expect(findSherpa([dataFolder])).toEqual({ packagePath: join(folder, 'index.js') })
    expect(await readdir(dataFolder)).toContain('package.json')
  },
)

it('installAddon reports why npm has failed, and leaves no package', limit, async () => {
  await startRegistry('another-package', ['1.0.0'])
  await expect(installAddon(root, signal)).rejects.toThrow(
    'npm could not install sherpa-onnx-node@1. Nothing else was changed (E404)',
  )
  expect(findSherpa([root]).packagePath).toBeUndefined()
})

it('installAddon reports why npm has failed after much other output', limit, async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'npm-notice': 'x'.repeat(12_000) }).end('{}')
  })
  await listen(server)
  await expect(installAddon(root, signal)).rejects.toThrow('Nothing else was changed (E404)')
})

it('installAddon reports that npm is missing', limit, async () => {
  await mkdir(join(root, 'empty'))
  vi.stubEnv('PATH', join(root, 'empty'))
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(installAddon(root, signal)).rejects.toThrow('npm cannot be started')
})

it('installAddon ends npm after an abort, and throws the reason', limit, async () => {
  const stop = new AbortController()
  const reason = new Error('Stopped')
  await listen(createServer(() => stop.abort(reason)))
  await expect(installAddon(root, stop.signal)).rejects.toBe(reason)
})
