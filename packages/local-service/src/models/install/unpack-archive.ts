import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream, ReadableWritablePair } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type TarHeader } from 'modern-tar'
import unbzip2 from 'unbzip2-stream'
import { entryPath } from '../catalogue/entry-path.ts'

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
