const minCapacity = 1024

/**
 * Bytes that have arrived in pieces and wait for more. To add a piece takes time in proportion to the piece, whereas joining
 * all bytes with each piece would take hours for a megabyte that arrives byte by byte.
 */
export class HeldBytes {
  #buffer: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0

  /** A view, which stays valid when bytes are added or dropped. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  add(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#buffer.length) {
      const held = this.bytes
      const capacity = Math.max(minCapacity, 2 * held.length, held.length + piece.length)
      this.#buffer = Buffer.allocUnsafeSlow(capacity)
      held.copy(this.#buffer)
      this.#start = 0
      this.#end = held.length
    }
    this.#buffer.set(piece, this.#end)
    this.#end += piece.length
  }

  /** Drops the first bytes. */
  drop(count: number): void {
    this.#start += count
    if (this.#start < this.#end) return
    this.#buffer = Buffer.alloc(0)
    this.#start = 0
    this.#end = 0
  }

  /** @returns all bytes, and holds none. */
  take(): Buffer {
    const { bytes } = this
    this.drop(bytes.length)
    return bytes
  }
}
