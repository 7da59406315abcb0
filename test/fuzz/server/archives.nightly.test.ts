import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unpackArchive } from '../../../packages/local-service/src/models/install/unpack.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'

const maxBytes = 20_000
const maxEntries = 5

const types = { file: '0', link: '1', symlink: '2', directory: '5' }

/** An entry of a tar archive, as text of Latin-1. Links lead out of the folder. */
function entry(name: string, type: keyof typeof types, bytes = 0): string {
  const header = Buffer.alloc(512)
  const octal = (number: number, length: number) => number.toString(8).padStart(length, '0')
  const fields: [number, string][] = [
    [0, name],
    [100, octal(0o644, 7)],
    [124, octal(bytes, 11)],
    [148, ' '.repeat(8)],
    [156, types[type]],
    [157, type.endsWith('link') ? '../outside' : ''],
    [257, 'ustar\u000000'],
  ]
  for (const [at, text] of fields) header.write(text, at, 'latin1')
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  const padded = Math.ceil(bytes / 512) * 512
  return header.toString('latin1') + 'x'.repeat(bytes).padEnd(padded, '\0')
}
const tar = (...entries: string[]) => entries.join('') + '\0'.repeat(1024)

const models = [
  tar(entry('vits-tiny', 'directory'), entry('vits-tiny/tokens.txt', 'file', 700)),
  tar(entry('vits-tiny/model.onnx', 'file', 4), entry('./vits-tiny/espeak/a', 'file', 3)),
  tar(entry('vits-tiny/a', 'symlink'), entry('vits-tiny/a/b', 'file', 3)),
  tar(entry('../outside', 'file', 3), entry('/outside', 'file', 3)),
]
const bzip2 = Buffer.from(
  'QlpoOTFBWSZTWSNbBPEAAKfdgMuRQAP3gAAEZi+fYAgoIACShKqab1A9QAAAGIEkVDMp5T0gyGRoaD1K/NKBqIsAHexJCN+HovJBF6DlohDAWusZ7X0Hb6ciB0YRAYEZDiLsbNhMvuMMiES2I/g6TiwYYcnaDiCHF6PpFRrBorEUVB9x5LuNKTJfitZTY5iQfxdyRThQkCNbBPE=',
  'base64',
).toString('latin1')

/** The name and the bytes of an archive. Where compressed bytes are damaged, their reader fails; otherwise, that of the tar. */
const archive: fc.Arbitrary<readonly [string, Buffer]> = fc.oneof(
  fc
    .constantFrom(...models)
    .chain((model) => damaged(model))
    .chain((bytes) => {
      const plain = Buffer.from(bytes, 'latin1')
      const packed = gzipSync(plain)
      return fc.oneof(
        fc.constant(['model.tar', plain] as const),
        fc.constant(['model.tar.gz', packed] as const),
        damaged(packed.toString('latin1'), 1).map(
          (text) => ['model.tar.gz', Buffer.from(text, 'latin1')] as const,
        ),
      )
    }),
  damaged(bzip2).map((text) => ['model.tar.bz2', Buffer.from(text, 'latin1')] as const),
)

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parlando-archives-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

it('an archive is rejected or unpacked, and writes only to its folder', async () => {
  let count = 0
  let unpacked = 0
  const lanes = 4
  await fuzz(
    archive,
    async ([name, bytes]) => {
      count += 1
      const place = join(root, String(count))
      const folder = join(place, 'models')
      await mkdir(folder, { recursive: true })
      await writeFile(join(place, name), bytes)
      try {
        await unpackArchive({ archive: join(place, name), folder, maxBytes, maxEntries })
        unpacked += 1
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect((error as Error).message).not.toMatch(/undefined|not a function|Cannot read/)
      }
      expect((await readdir(place)).sort()).toEqual([name, 'models'].sort())
      const paths = await readdir(folder, { recursive: true })
      const found = await Promise.all(paths.map((path) => lstat(join(folder, path))))
      expect(found.every((one) => one.isFile() || one.isDirectory())).toBe(true)
      expect(
        found.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0),
      ).toBeLessThanOrEqual(maxBytes)
      await rm(place, { recursive: true })
    },
    { lanes },
  )
  expect(unpacked).toBeGreaterThan(0)
  expect(await readdir(root)).toEqual([])
})
