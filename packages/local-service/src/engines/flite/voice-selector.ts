import { readSync } from 'node:fs'
import { featuresOffset, findVoice, voiceBytes } from './find-voice.ts'
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
