import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { findSherpa } from '../sherpa/find-sherpa.ts'
import addonJson from './addon.json' with { type: 'json' }
import { type Addon, installAddon } from './install-addon.ts'

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

/** Starts an npm registry with one package, and makes npm use it. @returns the checksum of each version. */
async function startRegistry(
  name: string,
  versions: readonly string[],
): Promise<Record<string, string>> {
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
      const integrity = integrityOf(archives.get(path)!)
      const dist = { tarball: `http://${host}${path}`, integrity }
      return [version, { name, version, dist }]
    })
    const tags = { latest: versions.at(-1) }
    const body = { name, 'dist-tags': tags, versions: Object.fromEntries(about) }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await listen(server)
  const checksums = versions.map((version) => [
    version,
    integrityOf(archives.get(`/${version}.tgz`)!),
  ])
  return Object.fromEntries(checksums)
}

function integrityOf(archive: Buffer): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`
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

const name = 'sherpa-onnx-node'

it(
  'installAddon installs the tested version, although there are newer ones, where the service finds it',
  limit,
  async () => {
    const checksums = await startRegistry(name, ['1.12.0', '1.13.8', '1.14.2', '2.0.0'])
    const dataFolder = join(root, 'new/my data ^1')
    const addon: Addon = { version: '1.13.8', integrity: { [name]: checksums['1.13.8'] } }
    await mkdir(join(dataFolder, '.staging-addon-of-a-crash'), { recursive: true })
    const printed: string[] = []
    await installAddon(dataFolder, { signal, addon, onOutput: (text) => printed.push(text) })
    const folder = join(dataFolder, 'node_modules/sherpa-onnx-node')
    expect(findSherpa([dataFolder])).toEqual({ packagePath: join(folder, 'index.js') })
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    expect(manifest.version).toBe('1.13.8')
    expect(printed.join('')).toContain('added 1 package')
    expect(await readdir(dataFolder)).toEqual(['node_modules'])
  },
)

it('installAddon removes a package with another checksum', limit, async () => {
  const { '1.12.0': other } = await startRegistry(name, ['1.12.0', '1.13.8'])
  const addon: Addon = { version: '1.13.8', integrity: { [name]: other } }
  await expect(installAddon(root, { signal, addon })).rejects.toThrow(
    'npm received another sherpa-onnx-node than the one that this service was tested with',
  )
  expect(findSherpa([root]).packagePath).toBeUndefined()
})

/** Lets a shell script be npm. */
async function replaceNpm(lines: readonly string[]): Promise<void> {
  await writeFile(join(root, 'npm'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
  vi.stubEnv('PATH', `${root}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
}

it('the service does not find a package while npm installs it, nor what is left of an interruption', async () => {
  const version = addonJson.version
  const manifest = JSON.stringify({ name, version })
  await replaceNpm([
    `mkdir -p node_modules/${name}`,
    `cd node_modules/${name}`,
    'touch index.js',
    `echo '${manifest}' > package.json`,
    'echo unpacked',
    'exec sleep 60',
  ])
  const stop = new AbortController()
  let found: string | undefined = 'nothing looked for it'
  const onOutput = () => {
    found = findSherpa([root]).packagePath
    stop.abort(new Error('interrupted'))
  }
  await expect(installAddon(root, { signal: stop.signal, onOutput })).rejects.toThrow('interrupted')
  expect([found, findSherpa([root]).packagePath]).toEqual([undefined, undefined])
})

it('installAddon gives npm no key of the service, lets it run no scripts, and prints nothing by itself', async () => {
  await replaceNpm(['echo noise', 'env > ../env.txt', 'echo "$@" > ../flags.txt', 'exit 1'])
  vi.stubEnv('PARLANDO_LOCAL_API_KEY', 'a key')
  const written = vi.spyOn(process.stderr, 'write')
  onTestFinished(() => written.mockRestore())
  await expect(installAddon(root, { signal })).rejects.toThrow('npm could not install')
  expect(written).not.toHaveBeenCalled()
  expect(await readFile(join(root, 'flags.txt'), 'utf8')).toContain('--ignore-scripts')
  const environment = await readFile(join(root, 'env.txt'), 'utf8')
  expect(environment).toContain('PATH=')
  expect(environment).not.toContain('PARLANDO')
})

it('the tested version is the one of the tests of sherpa-onnx-node', async () => {
  const file = new URL('../../../../../test/optional/package-lock.json', import.meta.url)
  const { packages } = JSON.parse(await readFile(file, 'utf8'))
  for (const [one, integrity] of Object.entries(addonJson.integrity)) {
    expect(packages[`node_modules/${one}`]).toMatchObject({
      version: addonJson.version,
      integrity,
    })
  }
})

it('installAddon reports why npm has failed, and leaves no package', limit, async () => {
  await startRegistry('another-package', ['1.0.0'])
  await expect(installAddon(root, { signal })).rejects.toThrow(
    'npm could not install sherpa-onnx-node@1.13.8. Nothing else was changed (E404)',
  )
  expect(findSherpa([root]).packagePath).toBeUndefined()
})

it('installAddon reports why npm has failed after much other output', limit, async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'npm-notice': 'x'.repeat(12_000) }).end('{}')
  })
  await listen(server)
  await expect(installAddon(root, { signal })).rejects.toThrow('Nothing else was changed (E404)')
})

it('installAddon reports that npm is missing', limit, async () => {
  await mkdir(join(root, 'empty'))
  vi.stubEnv('PATH', join(root, 'empty'))
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(installAddon(root, { signal })).rejects.toThrow('npm cannot be started')
})

it('installAddon ends npm after an abort, and throws the reason', limit, async () => {
  const stop = new AbortController()
  const reason = new Error('Stopped')
  await listen(createServer(() => stop.abort(reason)))
  await expect(installAddon(root, { signal: stop.signal })).rejects.toBe(reason)
})

it.skipIf(process.platform !== 'linux')(
  'installAddon says what to do when its folder cannot be written',
  async () => {
    // Not even root can write there.
    const failed = installAddon('/sys/parlando', { signal })
    await expect(failed).rejects.toMatchObject({ code: 'NOT_WRITTEN' })
  },
)
