import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { programPath } from '../../processes/program-path.ts'
import type { UnpackRequest } from './unpack-archive.ts'

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
