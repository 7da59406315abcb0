import { readSync } from 'node:fs'
import { findVoice, voiceBytes } from './find-voice.ts'
import type { FliteModule } from './flite-module.ts'

/** Changes the voice with which Flite speaks. */
export interface VoiceSelector {
  /** Selects the voice of the next phrase. Must be called in the state that follows the start with the first voice. */
  select(voice: string): void
}

/**
 * Loads the data of the first voice, with which Flite starts. The data of another voice is loaded when that voice is
 * first selected. Flite takes a voice only from its command line, and then keeps a pointer to the structure of the
 * voice. So the structure of another voice is copied to that address.
 */
export function createVoiceSelector(
  { data, file, writableStart }: FliteModule,
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
      if (voice === firstVoice) return
      if (!structures.has(voice)) load(voice)
      const [target, source] = [structureOf(firstVoice), structureOf(voice)]
      new Uint8Array(memory.buffer).copyWithin(target, source, source + voiceBytes)
    },
  }
}
