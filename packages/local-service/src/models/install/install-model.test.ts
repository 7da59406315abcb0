import { rmSync, symlinkSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import type { InstallEvent } from './fetch-model.ts'
import { installModel } from './install-model.ts'
import { listInstalled } from './install-record.ts'
import { removeModel } from './remove-model.ts'
import { archive, contents, expectOnly, makeEntry, remote, setUp } from './tiny-voice.test-case.ts'

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

  it('records which mirror has sent the model', async () => {
    const { folder, server, url } = await setUp()
    const missing = await startTestServer((response) => void response.writeHead(404).end())
    const urls = [`${missing.baseUrl}/vits-tiny.tar`, url]
    const entry = makeEntry({ sources: [{ archive: remote(archive, url, { urls }) }] })
    const { origin } = await installModel(entry, { folder })
    expect(missing.requests).toHaveLength(1)
    expect(origin).toBe(new URL(server.baseUrl).host)
  })

  it('records which mirror has sent the rest of a model', async () => {
    const { folder, server } = await setUp()
    const missing = await startTestServer((response) => void response.writeHead(404).end())
    const files = filesOf(server.baseUrl).map((file) => {
      return { ...file, urls: [`${missing.baseUrl}/${file.path}`, ...file.urls] }
    })
    const received = join(folder, '.downloads/tiny')
    await mkdir(received, { recursive: true })
    await writeFile(join(received, 'tokens.txt'), contents['vits-tiny/tokens.txt'])
    const { origin } = await installModel(makeEntry({ sources: [{ files }] }), { folder })
    expect(missing.requests).toHaveLength(1)
    expect(origin).toBe(new URL(server.baseUrl).host)
  })

  it('installs a model whose downloads cannot be removed', async () => {
    const { folder, entry } = await setUp()
    const load = async () => {
      rmSync(join(folder, '.downloads'), { recursive: true })
      await writeFile(join(folder, '.downloads'), 'not a folder')
    }
    expect(await installModel(entry, { folder, load })).toMatchObject({ name: 'tiny' })
    expect(await listInstalled(folder)).toHaveLength(1)
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

  it.skipIf(process.platform !== 'linux')(
    'keeps the archive when the disk rejects the unpacked model',
    async () => {
      const { folder, entry, server } = await setUp()
      const staging = join(folder, '.staging-tiny')
      const onEvent = ({ type }: InstallEvent) => {
        if (type !== 'unpacking') return
        rmSync(staging, { recursive: true })
        // Not even root can write there.
        symlinkSync('/sys', staging)
      }
      const failed = installModel(entry, { folder, onEvent })
      await expect(failed).rejects.toMatchObject({ code: 'NOT_WRITTEN' })
      await installModel(entry, { folder })
      expect(server.requests).toHaveLength(1)
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'says what to do when the disk rejects the received files',
    async () => {
      const { folder, server } = await setUp()
      const entry = makeEntry({ sources: [{ files: filesOf(server.baseUrl) }] })
      const staging = join(folder, '.staging-tiny')
      let isReplaced = false
      const onEvent = () => {
        if (isReplaced) return
        isReplaced = true
        rmSync(staging, { recursive: true })
        // Not even root can write there.
        symlinkSync('/sys', staging)
      }
      const failed = installModel(entry, { folder, onEvent })
      await expect(failed).rejects.toMatchObject({ code: 'NOT_WRITTEN' })
      expect(await installModel(entry, { folder })).toMatchObject({ name: 'tiny' })
      expect(server.requests).toHaveLength(2)
    },
  )

  it.skipIf(process.platform !== 'linux').each(['parlando.json', '.parlando.json'])(
    'says what to do when the disk has no space for %s',
    async (name) => {
      const { folder, entry } = await setUp()
      const fetch = async (staging: string) => {
        await mkdir(join(staging, 'vits-tiny'))
        symlinkSync('/dev/full', join(staging, 'vits-tiny', name))
        return { origin: 'x', isConfirmed: true }
      }
      const failed = installModel(entry, { folder, fetch })
      await expect(failed).rejects.toMatchObject({ code: 'NO_SPACE' })
      await expectOnly(folder, [])
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'says what to do when the folder of the models cannot be made',
    async () => {
      const { entry } = await setUp()
      // Not even root can write there.
      const failed = installModel(entry, { folder: '/sys/parlando' })
      await expect(failed).rejects.toMatchObject({ code: 'NOT_WRITTEN' })
    },
  )

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

  it('removes what a killed installation of another model has left', async () => {
    const { folder, entry } = await setUp()
    await mkdir(join(folder, '.staging-other/vits-other'), { recursive: true })
    await installModel(entry, { folder })
    await expectOnly(folder, ['.downloads', 'vits-tiny'])
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
