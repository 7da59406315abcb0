import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RemoteFile } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { toDiskFailure } from './disk-failure.ts'
import { openUrl } from './open-url.ts'

export interface DownloadOptions {
  /** The received part of the file remains after an abort, and the next call continues there. */
  signal?: AbortSignal
  /** Receives how much of the file is there. */
  onBytes?(bytes: number): void
  /** Receives why an attempt failed, before the next one. */
  onRetry?(reason: string): void
  /** How long the server may send nothing. */
  idleLimitMs?: number
}

const defaultIdleLimitMs = 30_000
/** A server that breaks off each time, but sends something. */
const maxAttempts = 20

/**
 * Downloads a file from the first mirror that has it, and checks its size and checksum. Until then it has the ending
 * `.part`; a later call continues there.
 * @returns the URL of the mirror; nothing if an earlier call has received the file.
 * @throws {ModelError} if no mirror has the file. After an abort, the signal's reason.
 */
export async function download(
  file: RemoteFile,
  path: string,
  options: DownloadOptions = {},
): Promise<string | undefined> {
  if (await isFinished(path, file)) return undefined
  const part = `${path}.part`
  const reasons: string[] = []
  let failure: ModelError | undefined
  for (const url of file.urls) {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const before = await sizeOf(part)
      try {
        await fetchRest(url, file, part, options)
        await rename(part, path)
        return url
      } catch (error) {
        options.signal?.throwIfAborted()
        const diskFailure = toDiskFailure(error)
        if (diskFailure) throw diskFailure
        const reason = `${hostOf(url)}: ${(error as Error).message}`
        reasons.push(reason)
        options.onRetry?.(reason)
        if (error instanceof ModelError) failure = error
        if ((await sizeOf(part)) <= before) break
      }
    }
  }
  if (failure?.code === 'WRONG_CHECKSUM') throw failure
  throw new ModelError(
    'DOWNLOAD_FAILED',
    `${basename(path)} cannot be downloaded (${[...new Set(reasons)].join('; ')}). Check the connection and repeat the command; it continues where it stopped`,
  )
}

/** How much of a file earlier calls have received. */
export async function receivedBytes({ bytes }: RemoteFile, path: string): Promise<number> {
  const sizes = await Promise.all([path, `${path}.part`].map(sizeOf))
  return Math.min(bytes, Math.max(...sizes))
}

/** Whether an earlier call has received the whole file. */
async function isFinished(path: string, { bytes, sha256 }: RemoteFile): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false
  return !sha256 || (await sha256Of(path)) === sha256
}

/** Appends to the part what it lacks, and checks the whole file. */
async function fetchRest(
  url: string,
  { bytes, sha256 }: RemoteFile,
  part: string,
  { signal, onBytes, idleLimitMs = defaultIdleLimitMs }: DownloadOptions,
): Promise<void> {
  // The catalogue may have changed since the part was received.
  if ((await sizeOf(part)) > bytes) await rm(part)
  const start = await sizeOf(part)
  // Before the request: it takes long on a slow disk, and the server must not wait meanwhile.
  let hash = createHash('sha256')
  if (start > 0) await hashFile(part, hash)
  if (start < bytes) {
    const idle = new AbortController()
    const stop = () => idle.abort(new Error(`nothing has arrived for ${idleLimitMs / 1000} s`))
    const timer = setTimeout(stop, idleLimitMs)
    const either = AbortSignal.any(signal ? [signal, idle.signal] : [idle.signal])
    try {
      hash = await append({
        url,
        bytes,
        part,
        start,
        hash,
        signal: either,
        onBytes: (all) => {
          timer.refresh()
          onBytes?.(all)
        },
      })
    } catch (error) {
      idle.signal.throwIfAborted()
      throw withCause(error as Error)
    } finally {
      clearTimeout(timer)
    }
  }
  const actual = hash.digest('hex')
  const size = await sizeOf(part)
  if (size === bytes && (!sha256 || actual === sha256)) return
  await rm(part, { force: true })
  throw new ModelError(
    'WRONG_CHECKSUM',
    `The file of ${hostOf(url)} is not the one in the catalogue: its maker has replaced it, or it was changed on the way. Nothing is installed (SHA-256 ${actual}, expected ${sha256})`,
  )
}

interface AppendRequest {
  url: string
  bytes: number
  part: string
  start: number
  /** The hash of the part. */
  hash: Hash
  signal: AbortSignal
  onBytes(bytes: number): void
}

/** @returns the hash of the whole file. */
async function append(request: AppendRequest): Promise<Hash> {
  const { url, bytes, part, start, signal, onBytes } = request
  const { isRest, totalBytes, body, close } = await openUrl(url, start, signal)
  if (totalBytes !== undefined && totalBytes !== bytes) {
    await close()
    throw new Error(`its file has ${totalBytes} bytes instead of ${bytes}`)
  }
  let size = isRest ? start : 0
  const hash = isRest ? request.hash : createHash('sha256')
  const file = await open(part, isRest ? 'a' : 'w').catch(async (error) => {
    await close()
    throw error
  })
  try {
    for await (const chunk of body) {
      signal.throwIfAborted()
      size += chunk.length
      if (size > bytes) throw new Error(`its file has more than ${bytes} bytes`)
      hash.update(chunk)
      await file.writeFile(chunk)
      onBytes(size)
    }
  } finally {
    await file.close()
  }
  if (size < bytes) throw new Error(`the connection ended after ${size} of ${bytes} bytes`)
  return hash
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** fetch reports only "fetch failed"; the reason is the cause. */
function withCause(error: Error): Error {
  return error.cause instanceof Error ? new Error(error.cause.message, { cause: error }) : error
}

function hostOf(url: string): string {
  const { protocol, host } = new URL(url)
  return protocol === 'file:' ? 'the given folder' : host
}

/** Adds the bytes of a file to a hash. */
async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk)
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await hashFile(path, hash)
  return hash.digest('hex')
}
