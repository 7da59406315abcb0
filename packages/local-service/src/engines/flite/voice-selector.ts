import { readSync } from 'node:fs'
import type { FliteModule } from './flite-module.ts'

/** Changes the voice with which Flite speaks. */
export interface VoiceSelector {
  /** Selects the voice of the next phrase. Must be called in the state that follows the start with the first voice. */
  select(voice: string): void
}

/**
 * The states of the random number generator from which the noise in a voice is made. With others, the voices would sound
 * as good, but not exactly as measured in `base-voices.json`. `kal16` has no noise.
 */
const noiseSeeds: Readonly<Record<string, bigint>> = {
  slt: 0xa577204824be7c90n,
  rms: 0xabf73a150564f840n,
  awb: 0x1e188a2e40688870n,
}

/**
 * Loads the data of the first voice, with which Flite starts. The data of another voice is loaded when that voice is
 * first selected. Flite takes a voice only from its command line, and then keeps a pointer to the structure of the
 * voice. So the structure of another voice is copied to that address.
 */
export function createVoiceSelector(
  { data, file, writableStart, noiseSeedAddress, streamCallbackIndex }: FliteModule,
  memory: WebAssembly.Memory,
  firstVoice: string,
): VoiceSelector {
  const load = (voice?: string) => {
    const bytes = new Uint8Array(memory.buffer)
    for (const part of data.filter((range) => range.voice === voice)) {
      const { address, sizeBytes, filePosition } = part
      const readBytes = readSync(file, bytes, address, sizeBytes, filePosition)
      if (readBytes < sizeBytes) throw new Error('The file flite.wasm is incomplete')
    }
  }
  load()
  load(firstVoice)
  const structures = new Map<string, number>()
  const structureOf = (voice: string): number => {
    const address = structures.get(voice) ?? findVoice(memory, writableStart, voice)
    structures.set(voice, address)
    return address
  }
  return {
    select(voice) {
      if (voice !== firstVoice) {
        if (!structures.has(voice)) load(voice)
        const [target, source] = [structureOf(firstVoice), structureOf(voice)]
        if (streamCallbackIndex !== undefined) shareFirstFeature(memory, target, source)
        new Uint8Array(memory.buffer).copyWithin(target, source, source + voiceBytes)
      }
      const noiseSeed = noiseSeeds[voice]
      if (!noiseSeedAddress || !noiseSeed) return
      new DataView(memory.buffer).setBigUint64(noiseSeedAddress, noiseSeed, true)
    },
  }
}

// Byte offset of the next pair in a list of features.
const nextPair = 8

/**
 * Flite adds the description of its stream as the first feature of the voice with which it starts. This puts the same
 * feature before those of another voice.
 */
function shareFirstFeature(memory: WebAssembly.Memory, from: number, to: number): void {
  const view = new DataView(memory.buffer)
  const listOf = (voice: number) => view.getUint32(voice + featuresOffset, true)
  const first = view.getUint32(listOf(from), true)
  view.setUint32(first + nextPair, view.getUint32(listOf(to), true), true)
  view.setUint32(listOf(to), first, true)
}

/** The size of Flite's structure `cst_voice` in 32-bit memory. */
const voiceBytes = 16
/** The byte offset of the pointer to its features. */
const featuresOffset = 4

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
function findVoice(memory: WebAssembly.Memory, heapStart: number, voice: string): number {
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
