import type { SpeechStore } from '@parlando/store'
import { keptFormat } from './kept-format.ts'

/** A text that is kept next to the sound, under a key of its own: what the key of a sound needs while the service is away. */
export interface KeptFact {
  /** @returns nothing if none is kept. */
  read(): Promise<string | undefined>
  /** Does nothing without a store. */
  keep(value: string): Promise<void>
}

/** @param identity what the fact is about; no sound has the same. */
export function keptFact(opening: Promise<SpeechStore | undefined>, identity: object): KeptFact {
  const key = async () => {
    const { soundKey } = await import('@parlando/store')
    return soundKey({ keptFormat, fact: identity })
  }
  return {
    async read() {
      const kept = await (await opening)?.get(await key())
      return kept && String(kept.facts['value'])
    },
    async keep(value) {
      await (await opening)?.add(await key(), { audio: new Uint8Array(), facts: { value } })
    },
  }
}
