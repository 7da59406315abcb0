import type { SpeechStore } from '@parlando/store'
import { keptFormat } from './kept-format.ts'

/** The default voice of a service for each language, which its kept sound needs while the service is away. */
export interface KnownDefaults {
  get(language: string): Promise<string | undefined>
  set(language: string, voiceId: string): Promise<void>
}

/** Keeps them next to the sound. */
export function createKnownDefaults(
  place: object,
  opening: Promise<SpeechStore | undefined>,
): KnownDefaults {
  const keyOf = async (language: string) => {
    const { soundKey } = await import('@parlando/store')
    return soundKey({ keptFormat, place, defaultVoiceFor: language })
  }
  return {
    async get(language) {
      const store = await opening
      const known = await store?.get(await keyOf(language))
      return known && String(known.facts['voiceId'])
    },
    async set(language, voiceId) {
      const store = await opening
      await store?.add(await keyOf(language), { audio: new Uint8Array(), facts: { voiceId } })
    },
  }
}
