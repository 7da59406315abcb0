import { createHash } from 'node:crypto'
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { packTar } from 'modern-tar'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CatalogueEntry, RemoteFile } from '../catalogue/catalogue.ts'
import type { InstallEvent } from './fetch-model.ts'
import { installModel } from './install.ts'
import { changedFiles, findInstalled, listInstalled, removeModel } from './install-record.ts'

const contents = { 'vits-tiny/tokens.txt': 'a 1\n', 'vits-tiny/model.onnx': 'not a real model' }

const archive = await packTar(
  Object.entries(contents).map(([name, body]) => ({
    header: { name, size: body.length, type: 'file' as const },
    body,
  })),
)

function remote(bytes: Uint8Array, url: string, change: Partial<RemoteFile> = {}): RemoteFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes: bytes.length, sha256, isConfirmed: true, urls: [url], ...change }
}

function makeEntry(change: Partial<CatalogueEntry>): CatalogueEntry {
  return {
    name: 'tiny',
    kind: 'voice',
    folder: 'vits-tiny',
    displayName: 'Tiny',
    family: 'piper',
    languages: ['de'],
    langCode: 'DE_DE',
    summary: 'a voice of a test',
    machine: 'pi4',
    installedBytes: 1000,
    licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
    checkedOn: null,
    sources: [],
    ...change,
  }
}

/** A server with the files of a model, and an entry for it. */
async function setUp(change: Partial<CatalogueEntry> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'parlando-install-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const server = await startTestServer((response, { url }) => {
    if (url === '/vits-tiny.tar') return void response.end(archive)
    const content = contents[url?.slice(1) as keyof typeof contents]
    if (content) return void response.end(content)
    response.writeHead(404).end()
  })
  const url = `${server.baseUrl}/vits-tiny.tar`
  const entry = makeEntry({ sources: [{ archive: remote(archive, url) }], ...change })
  return { folder: join(root, 'models'), entry, server, url }
}

/** Nothing but this is in the folder, also nothing hidden. */
async function expectOnly(folder: string, names: string[]) {
  expect((await readdir(folder)).sort()).toEqual(names)
}

describe('installModel', () => {
  it('downloads, unpacks, loads and records a model', async () => {
    const { folder, entry, server } = await setUp()
    const events: InstallEvent[] = []
    const loaded: string[][] = []
    const model = await installModel(entry, {
      folder,
      onEvent: (event) => events.push(event),
      load: async (staging) => void loaded.push(await readdir(staging)),
    })
    expect(events.map(({ type }) => type)).toEqual(['downloading', 'unpacking', 'loading'])
    expect(events[0]).toMatchObject({ receivedBytes: archive.length, totalBytes: archive.length })
    expect(loaded).toEqual([['vits-tiny']])
    expect(model).toMatchObject({ name: 'tiny', kind: 'voice', isConfirmed: true })
    expect(model.origin).toBe(new URL(server.baseUrl).host)
    expect(await listInstalled(folder)).toEqual([model])
    await expectOnly(folder, ['.downloads', 'vits-tiny'])
    const about = JSON.parse(await readFile(join(model.folder, 'parlando.json'), 'utf8'))
    expect(about).toEqual({ langCode: 'DE_DE', displayName: 'Tiny' })
  })

  it('installs single files', async () => {
    const { folder, entry, server } = await setUp()
    const files = Object.entries(contents).map(([path, body]) => ({
      ...remote(Buffer.from(body), `${server.baseUrl}/${path}`),
      path: path.replace('vits-tiny/', ''),
    }))
    const { files: installed } = await installModel({ ...entry, sources: [{ files }] }, { folder })
    expect(installed.map(({ path }) => path)).toEqual(['model.onnx', 'parlando.json', 'tokens.txt'])
  })

  it('uses the next source if one has no file or another one', async () => {
    const { folder, entry, url } = await setUp()
    const sources = [
      { archive: remote(archive, `${url}x`) },
      { archive: remote(archive, url, { sha256: '0'.repeat(64) }) },
      { archive: remote(archive, url) },
    ]
    const events: InstallEvent[] = []
    await installModel({ ...entry, sources }, { folder, onEvent: (event) => events.push(event) })
    expect(events.filter(({ type }) => type === 'unpacking')).toHaveLength(1)
  })

  const filesOf = (baseUrl: string) =>
    Object.entries(contents).map(([path, body]) => ({
      ...remote(Buffer.from(body), `${baseUrl}/${path}`),
      path: path.replace('vits-tiny/', ''),
    }))

  it('uses the next source if a later file of the first one is missing', async () => {
    const { folder, server, url } = await setUp()
    const [tokens, model] = filesOf(server.baseUrl)
    const files = [tokens!, { ...model!, urls: [`${server.baseUrl}/missing`] }]
    const entry = makeEntry({ sources: [{ files }, { archive: remote(archive, url) }] })
    await installModel(entry, { folder })
    await expectOnly(join(folder, 'vits-tiny'), [
      '.parlando.json',
      'model.onnx',
      'parlando.json',
      'tokens.txt',
    ])
  })

  it('keeps the finished files after an abort in a later one', async () => {
    const { folder, server } = await setUp()
    const [tokens, model] = filesOf(server.baseUrl)
    const stop = new AbortController()
    const hanging = await startTestServer(() => stop.abort(new Error('stopped')))
    const files = [tokens!, { ...model!, urls: [`${hanging.baseUrl}/model`] }]
    const first = installModel(makeEntry({ sources: [{ files }] }), { folder, signal: stop.signal })
    await expect(first).rejects.toThrow('stopped')
    await installModel(makeEntry({ sources: [{ files: [tokens!, model!] }] }), { folder })
    const paths = server.requests.map(({ url }) => url)
    expect(paths).toEqual(['/vits-tiny/tokens.txt', '/vits-tiny/model.onnx'])
  })

  it('keeps the finished files after an abort while the model is loaded', async () => {
    const { folder, server } = await setUp()
    const entry = makeEntry({ sources: [{ files: filesOf(server.baseUrl) }] })
    const stop = new AbortController()
    const load = async () => stop.abort(new Error('stopped'))
    const stopped = installModel(entry, { folder, load, signal: stop.signal })
    await expect(stopped).rejects.toThrow('stopped')
    await installModel(entry, { folder })
    expect(server.requests).toHaveLength(2)
  })

  it('keeps the archive after an abort while it is unpacked', async () => {
    const { folder, entry, server } = await setUp()
    const stop = new AbortController()
    const { signal } = stop
    const onEvent = ({ type }: InstallEvent) => {
      if (type === 'unpacking') stop.abort(new Error('stopped'))
    }
    await expect(installModel(entry, { folder, signal, onEvent })).rejects.toThrow('stopped')
    await installModel(entry, { folder })
    expect(server.requests).toHaveLength(1)
  })

  it('installs from a mirror and from a folder', async () => {
    const { folder, entry, server } = await setUp()
    const elsewhere = {
      ...entry,
      sources: [{ archive: remote(archive, 'https://example.invalid/vits-tiny.tar') }],
    }
    await installModel(elsewhere, { folder, mirror: `${server.baseUrl}/` })
    await removeModel(folder, 'tiny')
    const usbStick = join(folder, '../stick')
    await mkdir(usbStick)
    await writeFile(join(usbStick, 'vits-tiny.tar'), archive)
    expect(await installModel(elsewhere, { folder, mirror: usbStick })).toMatchObject({
      origin: usbStick,
    })
  })

  it.each<[string, Partial<CatalogueEntry>, string]>([
    ['an archive with another folder', { folder: 'vits-other' }, 'DAMAGED'],
    ['an archive with more than announced', { installedBytes: -10_000_000 }, 'DAMAGED'],
    ['a model that is larger than the disk', { installedBytes: 1e18 }, 'NO_SPACE'],
  ])('rejects %s, and leaves nothing', async (_what, change, code) => {
    const { folder, entry } = await setUp(change)
    await expect(installModel(entry, { folder })).rejects.toMatchObject({ code })
    expect(await listInstalled(folder)).toEqual([])
    expect(await readdir(folder)).not.toContain('.staging-tiny')
  })

  it('needs no space for what an earlier call has received, nor for the archive of a bundle', async () => {
    const { folder } = await setUp()
    await mkdir(folder)
    const { bavail, bsize } = await statfs(folder)
    const bytes = bavail * bsize + 1e9
    const entry = makeEntry({ sources: [{ archive: { ...remote(archive, 'http://x/a'), bytes } }] })
    const unpackOnly = async (staging: string) => {
      await mkdir(join(staging, 'vits-tiny'))
      return { origin: 'x', isConfirmed: true }
    }
    const options = { folder, fetch: unpackOnly }
    await expect(installModel(entry, options)).rejects.toMatchObject({ code: 'NO_SPACE' })
    expect((await installModel(entry, { ...options, bundle: 'tiny.tar' })).name).toBe('tiny')
    await removeModel(folder, 'tiny')
    await mkdir(join(folder, '.downloads/tiny'), { recursive: true })
    const part = await open(join(folder, '.downloads/tiny/a.part'), 'w')
    // A sparse file takes no space.
    await part.truncate(Math.round(bytes / 2))
    await part.close()
    expect((await installModel(entry, options)).name).toBe('tiny')
  })

  it('leaves nothing of a model that does not load', async () => {
    const { folder, entry } = await setUp()
    const load = () => Promise.reject(new Error('it is damaged'))
    await expect(installModel(entry, { folder, load })).rejects.toThrow('it is damaged')
    await expectOnly(folder, ['.downloads'])
  })

  it('does not replace a model, nor a folder of the user', async () => {
    const { folder, entry } = await setUp()
    await installModel(entry, { folder })
    await expect(installModel(entry, { folder })).rejects.toThrow('tiny is already installed')
    await removeModel(folder, 'tiny')
    await mkdir(join(folder, 'vits-tiny'))
    await expect(installModel(entry, { folder })).rejects.toThrow('Move it away')
  })

  it('rejects a second installation while the first is running', async () => {
    const { folder, entry } = await setUp()
    const second = new Promise<unknown>((resolve) => {
      void installModel(entry, {
        folder,
        load: async () => resolve(await installModel(entry, { folder }).catch((error) => error)),
      })
    })
    expect(await second).toMatchObject({ code: 'BUSY' })
  })

  it('does not keep its lock if the staging folder cannot be removed', async () => {
    const { folder, entry } = await setUp()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const fetch = async () => {
      await rename(folder, `${folder}-moved`)
      await writeFile(folder, '')
      throw new Error('disk is gone')
    }
    await expect(installModel(entry, { folder, fetch })).rejects.toThrow('disk is gone')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops after an abort, keeps the part and continues there', async () => {
    const { folder, entry } = await setUp()
    const controller = new AbortController()
    let requests = 0
    const slow = await startTestServer((response) => {
      requests += 1
      if (requests > 1) return void response.end(archive)
      response.writeHead(200, { 'content-length': archive.length })
      response.write(archive.subarray(0, 700))
    })
    const sources = [{ archive: remote(archive, `${slow.baseUrl}/vits-tiny.tar`) }]
    const options = {
      folder,
      signal: controller.signal,
      onEvent: () => controller.abort(new Error('stopped by the user')),
    }
    await expect(installModel({ ...entry, sources }, options)).rejects.toThrow(
      'stopped by the user',
    )
    const part = await readFile(join(folder, '.downloads/tiny/vits-tiny.tar.part'))
    await installModel({ ...entry, sources }, { folder })
    expect(slow.requests[1]?.headers.range).toBe(`bytes=${part.length}-`)
  })
})

describe('an installed model', () => {
  it('names its changed and missing files', async () => {
    const { folder, entry } = await setUp()
    const model = await installModel(entry, { folder })
    expect(await changedFiles(model)).toEqual([])
    await writeFile(join(model.folder, 'tokens.txt'), 'b 2\n')
    await rm(join(model.folder, 'model.onnx'))
    expect(await changedFiles(model)).toEqual(['model.onnx', 'tokens.txt'])
  })

  it('can be removed', async () => {
    const { folder, entry } = await setUp()
    await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_INSTALLED' })
    await installModel(entry, { folder })
    await removeModel(folder, 'tiny')
    await expectOnly(folder, ['.downloads'])
    await expect(findInstalled(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_INSTALLED' })
  })

  /** Puts a file into a model that no program can delete. @returns a function that takes it away. */
  async function makeUndeletable(folder: string, model: string) {
    // A path that is longer than the system accepts, made of two that are not.
    const long = `${'x'.repeat(200)}/`.repeat(12)
    const outside = join(folder, '../outside')
    await mkdir(join(model, long), { recursive: true })
    await mkdir(join(outside, long), { recursive: true })
    await rename(outside, join(model, long, 'second'))
    return async () => {
      const names = await readdir(folder)
      const removed = names.find((name) => name.startsWith('.removed-'))!
      await rename(join(folder, removed, long, 'second'), outside)
    }
  }

  it('can be removed again after its files could not be deleted', async () => {
    const { folder, entry } = await setUp()
    const { folder: model } = await installModel(entry, { folder })
    const release = await makeUndeletable(folder, model)
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({
        code: 'NOT_DELETED',
        message: expect.stringMatching(
          /^The model cannot be deleted: .*\. End the programs that use/,
        ),
      })
      expect(await listInstalled(folder)).toEqual([])
    }
    await release()
    await installModel(entry, { folder })
    await removeModel(folder, 'tiny')
    await expectOnly(folder, ['.downloads'])
  })

  it('can be removed while the files of another one cannot be deleted', async () => {
    const { folder, entry } = await setUp()
    const { folder: model } = await installModel(entry, { folder })
    const release = await makeUndeletable(folder, model)
    await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_DELETED' })
    await installModel({ ...entry, name: 'other' }, { folder })
    await removeModel(folder, 'other')
    expect(await listInstalled(folder)).toEqual([])
    await release()
  })

  it('is not listed if its record is damaged', async () => {
    const { folder, entry } = await setUp()
    const model = await installModel(entry, { folder })
    await writeFile(join(model.folder, '.parlando.json'), '{')
    expect(await listInstalled(folder)).toEqual([])
  })
})
