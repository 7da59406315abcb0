/** The size of Flite's structure `cst_voice` in 32-bit memory. */
export const voiceBytes = 16
/** The byte offset of the pointer to its features. */
export const featuresOffset = 4

// Indexes of its members. The fourth, a function that initializes utterances, is null in every voice.
const name = 0
const features = 1
const functions = 2
const initialize = 3

/**
 * Finds the structure of a voice in Flite's memory. Flite registers all voices when it starts. The version of the package
 * is pinned, so the layout is stable.
 *
 * @param heapStart the address where the search begins. Constants, such as names, are below.
 * @returns its address.
 * @throws {Error} if Flite has no such voice.
 */
export function findVoice(memory: WebAssembly.Memory, heapStart: number, voice: string): number {
  const bytes = Buffer.from(memory.buffer)
  const words = new Uint32Array(memory.buffer)
  const isOnHeap = (address: number) => address >= heapStart && address < bytes.length
  const nameBytes = Buffer.from(`${voice}\0`)
  for (let at = Math.ceil(heapStart / 4); at + initialize < words.length; at++) {
    if (words[at + initialize] !== 0) continue
    if (!isOnHeap(words[at + features]!) || !isOnHeap(words[at + functions]!)) continue
    const nameAt = words[at + name]!
    if (bytes.subarray(nameAt, nameAt + nameBytes.length).equals(nameBytes)) return at * 4
  }
  throw new Error(`Flite has no voice ${voice}`)
}
