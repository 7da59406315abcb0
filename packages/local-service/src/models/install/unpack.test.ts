import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unpack, unpackArchive } from './unpack.ts'

/** The folder `tiny-voice` with `tokens.txt` and `data/model.onnx`, written by GNU tar and bzip2. */
const smallArchive = Buffer.from(
  `
    QlpoOTFBWSZTWTrFtQQAAQp/hMmQCEBAA/+AAQhCAG4vn2AAAIBIMADYBjRo0AyZDRiNNA0wMaNGgGTIaMRpoGmAVRTQINCBoGT1MjGptTPoZT
    g2eSaFjlJEar4iCN9sz6L2oUMFldC0biSCojrVCh1Kj+MLMecTNy/RJDTgVA4cccdgWXkxUcEUPoxppRUoUr1pfE0MS7YqpoV33TRD3Rzfhwdn
    6VuihaS3u91KMtBk7l7L7F44m07Gl3LDtJa5GXgznxwzMzXuk2kH+LuSKcKEgdYtqCA=`,
  'base64',
)
/** A file with 8 MiB of zeros, written by the same programs. */
const bomb = Buffer.from(
  `
    QlpoOTFBWSZTWaOb7tABAYV7hMiAAEBAAP+AAQhyBp4QAACACDAAuVCUTRDQA2oACgAAAAAVKIE0AAMm1NGmXLO2FCSEAUxJCIA634dMy5vrVj
    HFRJIQBVKKtVXtdngjcoBR6wipFRdFLxhkgUJJJ2ItbCocW6cxUM2jS1sNnd4ip+XtW19lDZZbJJIQA/F3JFOFCQo5vu0A`,
  'base64',
)

const limits = { maxBytes: 1024 * 1024, maxEntries: 10 }

async function makeFolder(): Promise<{ root: string; folder: string }> {
  const root = await mkdtemp(join(tmpdir(), 'parlando-unpack-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const folder = join(root, 'unpacked')
  await mkdir(folder)
  return { root, folder }
}

/** Unpacks these bytes as a file of this name. @returns the folder. */
async function unpackBytes(bytes: Uint8Array, name: string) {
  const { root, folder } = await makeFolder()
  const archive = join(root, name)
  await writeFile(archive, bytes)
  await unpackArchive({ archive, folder, ...limits })
  return folder
}

const file = (name: string, body = 'text'): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), type: 'file' },
  body,
})

describe('unpackArchive', () => {
  it('unpacks an archive of GNU tar and bzip2', async () => {
    const folder = await unpackBytes(smallArchive, 'tiny.tar.bz2')
    expect(await readFile(join(folder, 'tiny-voice/tokens.txt'), 'utf8')).toBe('tokens\n')
    expect(await readFile(join(folder, 'tiny-voice/data/model.onnx'), 'utf8')).toBe('model')
  })

  it.each(['.tar', '.tar.gz'])('unpacks %s', async (ending) => {
    const tar = await packTar([file('./a/b.txt')])
    const bytes = ending === '.tar' ? tar : gzipSync(tar)
    const folder = await unpackBytes(bytes, `a${ending}`)
    expect(await readFile(join(folder, 'a/b.txt'), 'utf8')).toBe('text')
  })

  it.each([
    ['a path to the folder above', file('a/../../stolen'), 'leads out of the folder'],
    ['an absolute path', file('/etc/passwd'), 'leads out of the folder'],
    ['a path of Windows', file('a\\..\\..\\stolen'), 'a character that is not allowed'],
    ['a drive of Windows', file('C:stolen'), 'a character that is not allowed'],
    ['a control character', file('a\u0007b'), 'a character that is not allowed'],
    ['deep folders', file(`${'a/'.repeat(8)}b`), 'folders deep'],
    ['a long name', file('a'.repeat(201)), 'a name that is too long'],
    ...(['symlink', 'link', 'fifo', 'character-device', 'block-device'] as const).map(
      (type): [string, TarEntry, string] => [
        `an entry of the type ${type}`,
        { header: { name: 'a', size: 0, type, linkname: '/etc/passwd' } },
        'is neither a file nor a folder',
      ],
    ),
  ])('rejects %s', async (_what, entry, message) => {
    const { root, folder } = await makeFolder()
    const archive = join(root, 'hostile.tar')
    await writeFile(archive, await packTar([entry]))
    await expect(unpackArchive({ archive, folder, ...limits })).rejects.toThrow(message)
    expect(await readdir(folder)).toEqual([])
    expect(await readdir(root)).toEqual(['hostile.tar', 'unpacked'])
  })

  it.each([
    ['the same file twice', [file('a'), file('a')], 'EEXIST'],
    ['a file in the place of a folder', [file('a'), file('a/b')], /EEXIST|ENOTDIR/],
    [
      'too many entries',
      Array.from({ length: 11 }, (_, at) => file(`${at}`)),
      'more than 10 entries',
    ],
    ['too many bytes', [file('a', 'x'.repeat(limits.maxBytes))], 'more than 1048576 bytes'],
    ['no entry', [], 'is empty'],
  ])('rejects %s', async (_what, entries, message) => {
    await expect(unpackBytes(await packTar(entries), 'hostile.tar')).rejects.toThrow(message)
  })

  it('stops at the limit when a small archive contains much', async () => {
    expect(bomb.length).toBeLessThan(1000)
    await expect(unpackBytes(bomb, 'bomb.tar.bz2')).rejects.toThrow('more than 1048576 bytes')
  })

  it.each([
    ['is cut', smallArchive.subarray(0, 150), 'a.tar.bz2'],
    [
      'has a wrong byte',
      smallArchive.map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
      'a.tar.bz2',
    ],
    ['is a compressed page', Buffer.from('<!DOCTYPE html>'.repeat(100)), 'a.tar.bz2'],
    ['is a page', Buffer.from('<!DOCTYPE html>'.repeat(100)), 'a.tar'],
    ['is empty', Buffer.alloc(0), 'a.tar.bz2'],
  ])('rejects an archive that %s', async (_what, bytes, name) => {
    await expect(unpackBytes(bytes, name)).rejects.toThrow()
  })
})

describe('unpack', () => {
  async function writeArchive(bytes: Uint8Array) {
    const { root, folder } = await makeFolder()
    const archive = join(root, 'a.tar.bz2')
    await writeFile(archive, bytes)
    return { archive, folder, ...limits }
  }

  it('unpacks in a thread', async () => {
    const request = await writeArchive(smallArchive)
    await unpack(request)
    expect(await readdir(request.folder)).toEqual(['tiny-voice'])
  })

  it('reports what the thread rejects', async () => {
    const request = await writeArchive(smallArchive)
    await expect(unpack({ ...request, maxEntries: 1 })).rejects.toThrow('more than 1 entries')
  })

  it('stops after an abort', async () => {
    const controller = new AbortController()
    const unpacking = unpack(await writeArchive(smallArchive), controller.signal)
    controller.abort(new Error('stopped by the user'))
    await expect(unpacking).rejects.toThrow('stopped by the user')
  })
})
