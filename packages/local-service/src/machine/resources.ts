import { stat } from 'node:fs/promises'
import { availableParallelism, freemem, totalmem } from 'node:os'
import { EngineError } from '../errors/engine-error.ts'

const megabyte = 1024 * 1024
/** The memory of a process of Node.js with sherpa-onnx, without a model. */
const processBytes = 80 * megabyte

/** @returns what a model probably takes before it is measured. Its files are loaded as they are. */
export async function estimateMemory(paths: readonly string[]): Promise<number> {
  const files = await Promise.all(paths.map((path) => stat(path)))
  const sizes = files.map((file) => (file.isFile() ? file.size : 0))
  return sizes.reduce((total, size) => total + size, processBytes)
}

/** @returns the memory that another process can take, as far as the system knows; at most the limit of a container. */
export function freeMemory(): number {
  // macOS reports memory as used that it can free at any time.
  if (process.platform === 'darwin') return Number.POSITIVE_INFINITY
  return Math.min(freemem(), containerMemory() - process.memoryUsage.rss())
}

/** @returns the memory of the machine; at most the limit of a container. */
export function totalMemory(): number {
  return Math.min(totalmem(), containerMemory())
}

/** @returns the limit of the container, if there is one. */
function containerMemory(): number {
  return process.constrainedMemory() || Number.POSITIVE_INFINITY
}

/** @throws {EngineError} if the model does not fit into the free memory. */
export function requireMemory(name: string, neededBytes: number, freeBytes: number): void {
  if (freeBytes >= neededBytes) return
  const needed = Math.ceil(neededBytes / megabyte)
  const free = Math.max(0, Math.floor(freeBytes / megabyte))
  throw new EngineError(
    'unavailable',
    `${name} needs about ${needed} MiB of memory, and ${free} MiB are free: end other programs, or use a smaller model`,
  )
}

/** One core stays free for the service, and more than three hardly make a phrase faster. */
export const speechThreads = Math.max(1, Math.min(availableParallelism() - 1, 3))

/** @returns an amount of memory or of a disk such as `67 MB`, with the units that file managers show. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
