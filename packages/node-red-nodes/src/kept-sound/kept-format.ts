import type { SpeechChunk, SpeechRequest, SpeechWarning, Timestamps } from '@parlando/core'
import { type AudioEncoding, createDurationMeter } from '@parlando/core/audio'
import type { KeptSound } from '@parlando/store'
import type { Speech } from '../runtime/speech-service.ts'

/** What is kept of speech besides its audio. A change of it needs another `keptFormat`. */
export interface SoundFacts {
  encoding: AudioEncoding
  mediaType: string
  sampleRateHertz: number
  warnings: readonly SpeechWarning[]
  /** The characters as the service counted them. */
  characters: number
  /** Absent where the bytes do not show it. */
  seconds?: number
  /** Its pieces in order: bytes, and times of words. */
  chunks: readonly [bytes: number, timestamps?: Timestamps][]
}

/** Part of every key, so that a later version of the nodes does not read what it would misunderstand. */
export const keptFormat = 1

export function toKeptSound(
  speech: Speech,
  chunks: readonly SpeechChunk[],
  text: string,
): KeptSound {
  const { encoding, mediaType, sampleRateHertz, warnings, usage } = speech
  const audio = Buffer.concat(chunks.map((chunk) => chunk.audio))
  const meter = createDurationMeter(encoding, sampleRateHertz)
  meter.push(audio)
  const facts: SoundFacts = {
    encoding,
    mediaType,
    sampleRateHertz,
    warnings,
    characters: usage?.processedCharactersCount ?? text.length,
    seconds: meter.seconds,
    chunks: chunks.map((chunk) =>
      chunk.timestamps ? [chunk.audio.length, chunk.timestamps] : [chunk.audio.length],
    ),
  }
  return { audio, facts: { ...facts } }
}

/**
 * Speech whose chunks exist at once, in the pieces in which the service sent them.
 * @param askedAt by `performance.now()`.
 */
export function toSpeech({ audio, facts }: KeptSound, askedAt: number): Speech {
  const { encoding, mediaType, sampleRateHertz, warnings, chunks } = factsOf(facts)
  let firstAudioMs: number | undefined
  async function* read(): AsyncGenerator<SpeechChunk, void> {
    let start = 0
    for (const [bytes, timestamps] of chunks) {
      const chunk = audio.subarray(start, start + bytes)
      start += bytes
      if (chunk.length > 0) firstAudioMs ??= performance.now() - askedAt
      yield timestamps ? { audio: chunk, timestamps } : { audio: chunk }
    }
  }
  return {
    encoding,
    mediaType,
    sampleRateHertz,
    warnings,
    usage: undefined,
    get firstAudioMs() {
      return firstAudioMs
    },
    isKept: true,
    [Symbol.asyncIterator]: read,
  }
}

/** The facts of a sound of `toKeptSound`: the store has compared its checksum, and its key names the format. */
export function factsOf(facts: KeptSound['facts']): SoundFacts {
  return facts as unknown as SoundFacts
}

/** A longer text is probably never said again. */
const maxTextCharacters = 10_000

/**
 * The key of the sound of a request.
 * @param place what the sound depends on besides the request.
 * @param pronounce returns the text that is spoken.
 * @returns nothing for a request that is too long, or is not JSON: the client rejects it.
 */
export async function keyOf(
  place: object,
  request: SpeechRequest,
  pronounce: (text: string) => string,
): Promise<string | undefined> {
  if (String(request.text).length > maxTextCharacters) return undefined
  // As JSON, a large Buffer would hold the event loop.
  if (Object.values(request).some(ArrayBuffer.isView)) return undefined
  // Imported on demand, like the client of the service.
  const { soundKey } = await import('@parlando/store')
  try {
    const spoken = pronounce(request.text)
    // Only then: the sound of all other texts stays when the list of words changes.
    const isRespelled = spoken !== request.text
    return soundKey({ keptFormat, place, request, ...(isRespelled && { spoken }) })
  } catch {
    return undefined
  }
}
