import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type DownloadOptions, download } from './download.ts'
import { redirectTarget } from './open-url.ts'

const content = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 251))
const sha256 = createHash('sha256').update(content).digest('hex')
const about = { bytes: content.length, sha256, isConfirmed: true }

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-download-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The file, or the rest of it, as a web server sends it. */
function send(response: ServerResponse, { headers }: IncomingMessage, bytes = content) {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  if (!from) return void response.end(bytes)
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
  response.writeHead(206, { 'content-range': range })
  response.end(bytes.subarray(Number(from)))
}

async function get(urls: string[], options: DownloadOptions = {}, file: object = about) {
  const folder = await makeFolder()
  const path = join(folder, 'model.tar')
  const result = download({ ...about, ...file, urls }, path, options)
  return { folder, path, result }
}

describe('download', () => {
  it('downloads a file, reports its progress and checks it', async () => {
    const { baseUrl } = await startTestServer((response, request) => send(response, request))
    const progress: number[] = []
    const { path, result } = await get([`${baseUrl}/m`], {
      onBytes: (bytes) => progress.push(bytes),
    })
    expect(await result).toBe(`${baseUrl}/m`)
    expect(content.equals(await readFile(path))).toBe(true)
    expect(progress.at(-1)).toBe(content.length)
  })

  it('continues after the connection is cut', async () => {
    let cut: (() => void) | undefined
    const server = await startTestServer((response, request) => {
      if (server.requests.length > 1) return send(response, request)
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 30_000))
      cut = () => response.destroy()
    })
    const retries: string[] = []
    const { path, result } = await get([`${server.baseUrl}/m`], {
      // A client may lose bytes that it has not read when the connection ends.
      onBytes: () => cut?.(),
      onRetry: (reason) => retries.push(reason),
    })
    await result
    expect(content.equals(await readFile(path))).toBe(true)
    expect(retries).toHaveLength(1)
    expect(server.requests[1]?.headers.range).toMatch(/^bytes=\d+-$/)
  })

  it('continues a part of an earlier call', async () => {
    const server = await startTestServer((response, request) => send(response, request))
    const folder = await makeFolder()
    const path = join(folder, 'model.tar')
    await writeFile(`${path}.part`, content.subarray(0, 60_000))
    await download({ ...about, urls: [`${server.baseUrl}/m`] }, path)
    expect(server.requests[0]?.headers.range).toBe('bytes=60000-')
    expect(content.equals(await readFile(path))).toBe(true)
  })

  it('reads a part before it asks the server for the rest, and limits the wait only then', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    const server = await startTestServer((response, request) => send(response, request))
    const folder = await makeFolder()
    const path = join(folder, 'model.tar')
    // A folder has a size, but cannot be read.
    await mkdir(`${path}.part`)
    await writeFile(join(`${path}.part`, 'file'), 'x')
    const idleLimitMs = 12_345
    const result = download({ ...about, urls: [`${server.baseUrl}/m`] }, path, { idleLimitMs })
    await expect(result).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' })
    expect(server.requests).toHaveLength(0)
    expect(timers.mock.calls.filter(([, ms]) => ms === idleLimitMs)).toEqual([])
  })

  it('does not download a file again', async () => {
    const folder = await makeFolder()
    const path = join(folder, 'model.tar')
    await writeFile(path, content)
    expect(await download({ ...about, urls: ['https://example.invalid/m'] }, path)).toBeUndefined()
  })

  it('starts again where a server sends the whole file instead of the rest', async () => {
    const { baseUrl } = await startTestServer((response) => void response.end(content))
    const folder = await makeFolder()
    const path = join(folder, 'model.tar')
    await writeFile(`${path}.part`, 'x'.repeat(500))
    await download({ ...about, urls: [baseUrl] }, path)
    expect(content.equals(await readFile(path))).toBe(true)
  })

  it('uses the next mirror after 404, a wrong size, wrong content and a closed port', async () => {
    const damaged = Buffer.from(content)
    damaged[5]! += 1
    const { baseUrl } = await startTestServer((response, request) => {
      if (request.url === '/none') return void response.writeHead(404).end()
      if (request.url === '/short') return send(response, request, content.subarray(0, 99))
      if (request.url === '/damaged') return send(response, request, damaged)
      send(response, request)
    })
    const retries: string[] = []
    const paths = ['none', 'short', 'damaged', 'good'].map((name) => `${baseUrl}/${name}`)
    const { path, result } = await get(['http://127.0.0.1:1/m', ...paths], {
      onRetry: (reason) => retries.push(reason),
    })
    await result
    expect(content.equals(await readFile(path))).toBe(true)
    expect(retries.join('\n')).toMatch(
      /ECONNREFUSED|bad port.*\n.*responds with 404\n.*has 99 bytes instead of 100000\n.*not the one in the catalogue/,
    )
  })

  it('leaves nothing of a file with a wrong checksum', async () => {
    const { baseUrl } = await startTestServer((response, request) => send(response, request))
    const { folder, result } = await get([baseUrl], {}, { sha256: '0'.repeat(64) })
    await expect(result).rejects.toMatchObject({ code: 'WRONG_CHECKSUM' })
    expect(await readdir(folder)).toEqual([])
  })

  it('accepts any content of the right size without a published checksum', async () => {
    const { baseUrl } = await startTestServer((response, request) => send(response, request))
    const { result } = await get([baseUrl], {}, { sha256: undefined })
    expect(await result).toBe(baseUrl)
  })

  it('says why no mirror has the file, without the path and the query of the address', async () => {
    const { baseUrl } = await startTestServer((response) => void response.writeHead(503).end())
    const { result } = await get([`${baseUrl}/secret?key=1`])
    await expect(result).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(
        /^model\.tar cannot be downloaded \(127\.0\.0\.1:\d+: the server responds with 503\)/,
      ),
    })
  })

  it('ends a download in which nothing arrives', async () => {
    const { baseUrl } = await startTestServer((response) => void response.write('x'))
    const { result } = await get([baseUrl], { idleLimitMs: 100 })
    await expect(result).rejects.toThrow('nothing has arrived for 0.1 s')
  })

  it('keeps the part after an abort', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 40_000))
    })
    const controller = new AbortController()
    const closed = server.nextDisconnect()
    const { path, result } = await get([server.baseUrl], {
      signal: controller.signal,
      onBytes: (bytes) => bytes === 40_000 && controller.abort(new Error('stopped by the user')),
    })
    await expect(result).rejects.toThrow('stopped by the user')
    await closed
    expect((await readFile(`${path}.part`)).length).toBe(40_000)
  })

  it('closes the response if it cannot write the part', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 100))
    })
    const closed = server.nextDisconnect()
    const path = join(await makeFolder(), 'missing', 'model.tar')
    const result = download({ ...about, urls: [server.baseUrl] }, path)
    await expect(result).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' })
    await closed
  })

  it('follows redirects, with the range', async () => {
    const server = await startTestServer((response, request) => {
      if (request.url === '/m') return void response.writeHead(302, { location: '/there' }).end()
      send(response, request)
    })
    const { path, result } = await get([`${server.baseUrl}/m`])
    await result
    expect(content.equals(await readFile(path))).toBe(true)
  })

  it('ends a circle of redirects', async () => {
    const { baseUrl } = await startTestServer(
      (response) => void response.writeHead(302, { location: '/m' }).end(),
    )
    const { result } = await get([baseUrl])
    await expect(result).rejects.toThrow('redirects more than 5 times')
  })

  it('copies a file of a folder', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'source.tar'), content)
    const source = pathToFileURL(join(folder, 'source.tar')).href
    const { path, result } = await get([source])
    expect(await result).toBe(source)
    expect(content.equals(await readFile(path))).toBe(true)
  })
})

describe('redirectTarget', () => {
  it.each([
    ['https://example.org/a', 'https://example.com/b'],
    ['http://nas/a', 'http://nas/b'],
    ['http://nas/a', 'https://example.org/b'],
    ['https://example.org/a', '/b'],
  ])('allows %s → %s', (url, location) => {
    expect(redirectTarget(new URL(url), location).pathname).toBe('/b')
  })

  it.each([
    ['https://example.org/a', 'http://example.org/b'],
    ['http://nas/a', 'file:///etc/passwd'],
    ['https://example.org/a', 'data:,text'],
  ])('rejects %s → %s', (url, location) => {
    expect(() => redirectTarget(new URL(url), location)).toThrow('not safe')
  })
})
