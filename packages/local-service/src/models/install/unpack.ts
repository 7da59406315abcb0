import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream, ReadableWritablePair } from 'node:stream/web'
import { Worker } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type TarHeader } from 'modern-tar'
import unbzip2 from 'unbzip2-stream'
import { programPath } from '../../processes/program.ts'

// An archive with a hostile header could make its reader keep everything in memory.
const maxHeapMegabytes = 256

/**
 * Unpacks an archive in a separate thread, because decompression takes seconds of CPU.
 * @throws {Error} see `unpackArchive`; after an abort, the signal's reason.
 */
export async function unpack(request: UnpackRequest, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const worker = new Worker(programPath('unpack-worker'), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
    execArgv: [],
  })
  try {
    // Rejects when the thread fails.
    const [exitCode] = await once(worker, 'exit', { signal })
    if (exitCode !== 0)
      throw new Error(`The thread that unpacks the archive ended with ${exitCode}`)
  } catch (error) {
    signal?.throwIfAborted()
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new Error('The archive takes too much memory')
    }
    throw error
  } finally {
    await worker.terminate()
  }
}

export interface UnpackRequest {
  /** A file that ends with `.tar`, `.tar.gz` or `.tar.bz2`. */
  archive: string
  /** An empty folder. */
  folder: string
  /** The unpacked bytes, headers and padding included. A small archive can contain a gigabyte of zeros. */
  maxBytes: number
  maxEntries: number
}

interface Entry {
  header: TarHeader
  body: ReadableStream<Uint8Array>
}

/**
 * Unpacks an archive, which may be hostile, into a folder. It blocks the thread for up to 150 ms at a time, so it runs in
 * a thread of its own.
 * @throws {Error} if the archive is damaged, is too large, or contains more than files and folders. Unpacked files remain.
 */
export async function unpackArchive(request: UnpackRequest): Promise<void> {
  const { archive, folder, maxBytes, maxEntries } = request
  const tar = limitBytes(maxBytes)
  const reading = pipeline(createReadStream(archive), decompressorFor(archive), tar)
  // A failure also ends the stream of entries, below.
  reading.catch(() => {})
  // The package describes its streams with the types of browsers, which lack the iterator.
  const decoder = createTarDecoder({ strict: true }) as object as ReadableWritablePair<Entry>
  const entries: ReadableStream<Entry> = Readable.toWeb(tar).pipeThrough(decoder)
  let count = 0
  try {
    for await (const { header, body } of entries) {
      count += 1
      if (count > maxEntries) throw new Error(`The archive has more than ${maxEntries} entries`)
      const path = join(folder, ...entryPath(header))
      await mkdir(header.type === 'directory' ? path : dirname(path), { recursive: true })
      if (header.type === 'directory') await body.cancel()
      // The flag rejects an entry that overwrites another one.
      else await pipeline(Readable.fromWeb(body), createWriteStream(path, { flags: 'wx' }))
    }
    await reading
  } catch (error) {
    // The reader of bzip2 fails by accident on some damaged archives.
    throw error instanceof TypeError ? new Error('The archive is damaged', { cause: error }) : error
  } finally {
    tar.destroy()
  }
  if (count === 0) throw new Error('The archive is empty')
}

function decompressorFor(archive: string): NodeJS.ReadWriteStream {
  if (archive.endsWith('.bz2')) return unbzip2()
  return archive.endsWith('.gz') ? createGunzip() : new PassThrough()
}

function limitBytes(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= maxBytes) return done(null, chunk)
      done(new Error(`The archive contains more than ${maxBytes} bytes`))
    },
  })
}

const maxDepth = 8
const maxNameBytes = 200
/** Characters that end a path, are a separator, or are reserved on Windows. */
const forbidden = /[\\:*?"<>|\p{Cc}]/u

/** What the header of an archive entry says about it. */
interface EntryHeader {
  name: string
  type?: string
}

/**
 * Checks an entry of an archive, which may be hostile: only files and folders, and no path that leads out of the folder.
 * @returns the parts of its path. Empty for the folder itself.
 * @throws {Error} naming the entry.
 */
function entryPath({ name, type = 'file' }: EntryHeader): string[] {
  const reject = (reason: string) => new Error(`The archive entry ${shorten(name)} ${reason}`)
  if (type !== 'file' && type !== 'directory')
    throw reject(`is neither a file nor a folder (${type})`)
  const parts = name.replace(/^\.\//, '').replace(/\/$/, '').split('/')
  if (parts.length === 1 && (parts[0] === '' || parts[0] === '.')) {
    if (type === 'directory' && name !== '/') return []
    throw reject('has no name')
  }
  if (parts.length > maxDepth) throw reject(`is more than ${maxDepth} folders deep`)
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') throw reject('leads out of the folder')
    if (forbidden.test(part)) throw reject('has a character that is not allowed')
    if (Buffer.byteLength(part) > maxNameBytes) throw reject('has a name that is too long')
  }
  return parts
}

/** Entry names come from strangers and end up in messages. */
function shorten(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
