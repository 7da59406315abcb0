import { readFileSync } from 'node:fs'
import { type KeptSound, type SpeechStore, soundKey } from '@parlando/store'
import packageJson from '../../package.json' with { type: 'json' }
import type { SpokenWord } from '../engines/engine.ts'
import { findBuiltInData } from '../machine/built-in-data.ts'
import { SharedMaking } from './shared-making.ts'
import type { SynthesisRequest } from './synthesis-request.ts'
import { type AudioChunk, synthesize } from './synthesize.ts'

/** Each holds its sound in memory until it is kept. Further texts are spoken without it. */
const maxAtOnce = 16
/** The limit of one sound. Longer ones are not kept. */
const maxBytes = 4 * 1024 * 1024

/** A minute of speech or less. Longer texts are hardly spoken twice. */
const maxCharacters = 1000

interface ChunkFacts {
  bytes: number
  durationSeconds: number
  words: readonly SpokenWord[]
}

/** Speaks requests, and keeps their sound in a store, for the next request for the same sound to any service with this store. */
export class SharedSound {
  /** What became of the requests whose sound may be kept: it was in the store, another request was making it, or it was made. */
  readonly figures = { found: 0, joined: 0, made: 0 }
  readonly #store: SpeechStore
  /** The makings that others can join. */
  readonly #making = new Map<string, SharedMaking<AudioChunk>>()
  /** How many makings there are, also of sounds that are too long. */
  #atOnce = 0

  constructor(store: SpeechStore) {
    this.#store = store
  }

  /** Does the same as `synthesize`, with the sound of an earlier request if there is one. */
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<AudioChunk, void> {
    const key = keyOfSound(request)
    const making = key && this.#making.get(key)
    if (making) {
      this.figures.joined += 1
      return making.read(signal)
    }
    if (!key || this.#atOnce >= maxAtOnce) return synthesize(request, signal)
    return this.#begin(key, request).read(signal)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #begin(key: string, request: SynthesisRequest): SharedMaking<AudioChunk> {
    let wasFound = false
    const { figures } = this
    const store = this.#store
    async function* make(signal: AbortSignal): AsyncGenerator<AudioChunk, void> {
      const kept = await store.get(key)
      const chunks = kept && toChunks(kept)
      wasFound = chunks !== undefined
      figures[wasFound ? 'found' : 'made'] += 1
      if (chunks) yield* chunks
      else yield* synthesize(request, signal)
    }
    // Another one may have taken the place of one that was too long.
    const forget = () => {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
    const end = () => {
      this.#atOnce -= 1
      forget()
    }
    const making: SharedMaking<AudioChunk> = new SharedMaking({
      make,
      maxBytes,
      onTooLong: forget,
      onEnd(chunks) {
        // Until it is kept, others can join it.
        if (chunks && !wasFound) store.add(key, toSound(chunks)).then(end, end)
        else end()
      },
    })
    this.#atOnce += 1
    this.#making.set(key, making)
    return making
  }
}

function toSound(chunks: readonly AudioChunk[]): KeptSound {
  const audio = Buffer.concat(chunks.map((chunk) => chunk.audio))
  const facts = chunks.map(({ audio: { length }, durationSeconds, words }): ChunkFacts => {
    return { bytes: length, durationSeconds, words }
  })
  return { audio, facts: { chunks: facts } }
}

/** @returns nothing if it does not have the form of `toSound`. */
function toChunks({ audio, facts }: KeptSound): AudioChunk[] | undefined {
  const parts = facts['chunks'] as readonly ChunkFacts[]
  if (!Array.isArray(parts)) return undefined
  let start = 0
  const chunks = parts.map(({ bytes, durationSeconds, words }) => {
    const end = start + bytes
    const chunk = { audio: audio.subarray(start, end), durationSeconds, words }
    start = end
    return chunk
  })
  return start === audio.length ? chunks : undefined
}

/**
 * Whose sound is the same on each machine with the same versions. Models that were installed may differ, other servers may change
 * their voices, or forbid to keep what they send.
 */
const sameEverywhere = (engine: string, voice: string) =>
  engine === 'flite' || engine === 'pico' || (engine === 'hibari' && voice === 'heart')

let versions: object | undefined

/** @returns the key of everything that the sound of a request depends on; nothing for a sound that is not kept, as that of a clone. */
function keyOfSound(request: SynthesisRequest): string | undefined {
  const { voice, engineVoice, imprint, engine, recording } = request.voice
  const isClone = voice.source === 'IVC' || recording !== undefined
  if (isClone || request.text.length > maxCharacters) return undefined
  if (!sameEverywhere(engine, engineVoice)) return undefined
  versions ??= { service: packageJson.version, voices: readVersionOfVoices() }
  const { modelId, language, prosody, layout, limits, script, withWords } = request
  const sound = { modelId, language, prosody, layout, limits, script, withWords }
  return soundKey({ form: 1, versions, engine, engineVoice, imprint, ...sound })
}

function readVersionOfVoices(): string | undefined {
  const path = findBuiltInData('package.json')
  if (!path) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
