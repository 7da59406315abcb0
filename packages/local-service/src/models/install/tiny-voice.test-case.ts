import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { packTar } from 'modern-tar'
import { expect, onTestFinished } from 'vitest'
import type { CatalogueEntry, RemoteFile } from '../catalogue/catalogue.ts'

/** The files of the voice. */
export const contents = {
  'vits-tiny/tokens.txt': 'a 1\n',
  'vits-tiny/model.onnx': 'not a real model',
}

export const archive = await packTar(
  Object.entries(contents).map(([name, body]) => ({
    header: { name, size: body.length, type: 'file' as const },
    body,
  })),
)

/** The entry of a file that a server of a test has. */
export function remote(
  bytes: Uint8Array,
  url: string,
  change: Partial<RemoteFile> = {},
): RemoteFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes: bytes.length, sha256, isConfirmed: true, urls: [url], ...change }
}

/** A voice of two small files, none of which is a real model. */
export function makeEntry(change: Partial<CatalogueEntry>): CatalogueEntry {
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
export async function setUp(change: Partial<CatalogueEntry> = {}) {
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
export async function expectOnly(folder: string, names: string[]) {
  expect((await readdir(folder)).sort()).toEqual(names)
}
