import { Readable } from 'node:stream'

/** A recording whose chunks wait for one reader while they arrive. */
export function createGrowingRecording() {
  let waitingBytes = 0
  // In object mode, the reader gets each chunk as it has arrived.
  const chunks = new Readable({ objectMode: true, read() {} })
  // Nobody may read it.
  chunks.on('error', () => {})
  return {
    /** What nobody has read yet. */
    get waitingBytes() {
      return waitingBytes
    },
    append(chunk: Buffer) {
      if (chunk.length === 0) return
      waitingBytes += chunk.length
      chunks.push(chunk)
    },
    end: () => void chunks.push(null),
    fail: (error: unknown) => void chunks.destroy(error as Error),
    /** Yields each chunk as it arrives. */
    async *readChunks(signal: AbortSignal): AsyncGenerator<Buffer, void> {
      signal.throwIfAborted()
      const stop = () => void chunks.destroy(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        for await (const chunk of chunks) {
          waitingBytes -= chunk.length
          yield chunk
        }
      } finally {
        // A conversation has one signal for all its recordings.
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

export type GrowingRecording = ReturnType<typeof createGrowingRecording>
