/** Reads lines and bytes from pieces of any size. */
export interface ByteReader {
  /** @returns the line without its end; `undefined` at the end of the bytes; `tooLong`. */
  readLine(maxBytes: number): Promise<Buffer | undefined | 'tooLong'>
  /** @throws {Error} if the bytes end before. */
  readExactly(count: number): Promise<Buffer>
}

const lineEnd = 0x0a
const firstCapacity = 1024

/** @param onGrow called with the size of the buffer that holds an unfinished line or part. */
export function createByteReader(
  pieces: AsyncIterable<Uint8Array>,
  onGrow: (bytes: number) => void,
): ByteReader {
  const iterator = pieces[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  /** @returns whether there are more bytes. */
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await iterator.next()
    if (done) return false
    rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count)
    rest = rest.subarray(count)
    return taken
  }
  return {
    async readLine(maxBytes) {
      const line = createGrowingBuffer(onGrow)
      for (;;) {
        const end = rest.indexOf(lineEnd)
        line.add(take(end < 0 ? rest.length : end))
        if (line.length > maxBytes) return 'tooLong'
        if (end >= 0) {
          take(1)
          return line.bytes()
        }
        if (await readMore()) continue
        if (line.length > 0) throw endedWithin()
        return undefined
      }
    },
    async readExactly(count) {
      if (rest.length >= count) return take(count)
      const part = createGrowingBuffer(onGrow)
      for (;;) {
        part.add(take(count - part.length))
        if (part.length === count) return part.bytes()
        if (!(await readMore())) throw endedWithin()
      }
    },
  }
}

function endedWithin(): Error {
  return new Error('The connection ended within an event')
}

/** Joins pieces. A list of pieces of a byte each would take a hundred times the memory. */
function createGrowingBuffer(onGrow: (bytes: number) => void) {
  let buffer: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    add(piece: Buffer) {
      if (length + piece.length > buffer.length) {
        const capacity = Math.max(firstCapacity, 2 * buffer.length, length + piece.length)
        const larger = Buffer.allocUnsafeSlow(capacity)
        buffer.copy(larger, 0, 0, length)
        buffer = larger
        onGrow(capacity)
      }
      piece.copy(buffer, length)
      length += piece.length
    },
    get length() {
      return length
    },
    bytes: () => buffer.subarray(0, length),
  }
}
