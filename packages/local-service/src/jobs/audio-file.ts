import { writeWavHeader } from '@parlando/core/audio'
import type { AudioLayout } from '../audio/encoding/encoder-types.ts'
import { withFileHeader } from '../audio/encoding/file-headers.ts'

const pieceBytes = 4 * 1024 * 1024
/** Half an hour of MP3. The info frame of a longer file would need the whole file in memory, and players do without. */
const maxHeldBytes = 32 * 1024 * 1024

/** Writes an audio file in pieces, while it is made. */
export class AudioFile {
  readonly #layout: AudioLayout
  readonly #write: (index: number, bytes: Uint8Array) => Promise<void>
  /** The sizes of the pieces. */
  readonly #pieces: number[] = []
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** Whether the file is too large to be held. */
  #isLarge = false

  /** @param write writes a piece, or replaces it. */
  constructor(layout: AudioLayout, write: (index: number, bytes: Uint8Array) => Promise<void>) {
    this.#layout = layout
    this.#write = write
  }

  /** @param audio without the header of a WAV file. */
  async push(audio: Uint8Array): Promise<void> {
    this.#held.push(audio)
    this.#heldBytes += audio.length
    if (!this.#isLarge && this.#heldBytes > maxHeldBytes) {
      this.#isLarge = true
      // The header, which has the length, replaces it at the end.
      await this.#add(this.#header(0))
    }
    if (this.#isLarge && this.#heldBytes >= pieceBytes) await this.#flush()
  }

  /** @returns the sizes of the pieces that make the file. */
  async end(): Promise<readonly number[]> {
    if (this.#isLarge) {
      await this.#flush()
      const [header = 0, ...bodies] = this.#pieces
      const body = bodies.reduce((sum, bytes) => sum + bytes, 0)
      if (header > 0) await this.#write(0, this.#header(body))
    } else {
      this.#held = [withFileHeader(this.#layout, Buffer.concat(this.#held))]
      await this.#flush()
    }
    return this.#pieces
  }

  #header(dataBytes: number): Uint8Array {
    const { audioEncoding } = this.#layout
    const isWav = audioEncoding === 'LINEAR16' || audioEncoding === 'WAV'
    if (!isWav) return new Uint8Array()
    return writeWavHeader({ sampleRateHertz: this.#layout.sampleRateHertz, dataBytes })
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      await this.#add(bytes.subarray(start, start + pieceBytes))
    }
  }

  async #add(bytes: Uint8Array): Promise<void> {
    await this.#write(this.#pieces.length, bytes)
    this.#pieces.push(bytes.length)
  }
}
