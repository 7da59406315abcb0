import type { CallOptions, Client, SpeechWarning } from '@parlando/core'
import type { Node, NodeAPI } from 'node-red'
import type { WantedSound } from '../../announcements/announcement.ts'
import { requireService, type SpeechService } from '../../runtime/find-service.ts'
import {
  defaultVoice,
  readSpeechRequest,
  type SpeechMessage,
  type SpeechSettings,
  warningText,
} from '../../runtime/speech-request.ts'
import { createSound, type GrowingSound, type Sound, stepBytes } from '../../sounds/sound.ts'

export interface SpeechOptions {
  text: string
  message: SpeechMessage
  onRetry(): void
  /** Called with sentences for `msg.warning` if the voice does not speak the text as it is written. */
  onWarning(warning: string): void
}

/** Makes the speech of an announcement for a speaker. A sentence that was said before exists at once. */
export type MakeSpeech = (options: SpeechOptions, wanted: WantedSound, signal: AbortSignal) => Sound

/** A service with other settings has another client, and so another cache. */
const caches = new WeakMap<Client, SentenceCache>()

function cacheOf(client: Client): SentenceCache {
  const cache = caches.get(client) ?? createSentenceCache()
  caches.set(client, cache)
  return cache
}

export function createSpeechMaker(
  RED: NodeAPI,
  node: Node,
  settings: SpeechSettings & { service: string },
): MakeSpeech {
  const speakInto = async (
    sound: GrowingSound,
    { text, message, onRetry, onWarning }: SpeechOptions,
    { format, voice, language }: WantedSound,
    signal: AbortSignal,
  ) => {
    const service = requireService(RED, node, settings.service)
    const call = { signal, onRetry }
    const form = {
      ...settings,
      voice: voice || settings.voice,
      language: language || settings.language,
    }
    const request = readSpeechRequest(RED, text, form, message, service.defaults)
    await service.use(signal, async (client) => {
      const spoken = {
        ...request,
        voiceId: request.voiceId ?? (await defaultVoice(RED, service, request, call)),
        audioConfig: { ...request.audioConfig, ...format } as typeof request.audioConfig,
      }
      const warnings = await speakOnce(client, spoken, { sound, call, service })
      const warning = warningText(RED, spoken.voiceId, warnings)
      if (warning) onWarning(warning)
    })
    sound.complete()
  }

  return (options, wanted, signal) => {
    const sound = createSound(wanted.format, stepBytes)
    speakInto(sound, options, wanted, signal).catch((error) => sound.fail(error))
    return sound
  }
}

type StreamRequest = Parameters<Client['synthesizeStream']>[0]

interface SpeechTarget {
  sound: GrowingSound
  call: CallOptions & { signal: AbortSignal }
  service: SpeechService
}

/** Appends the speech to a sound: from the cache, or from the service, and then to the cache. @returns its warnings. */
async function speakOnce(
  client: Client,
  request: StreamRequest,
  { sound, call, service }: SpeechTarget,
): Promise<readonly SpeechWarning[]> {
  const sentences = cacheOf(client)
  const key = keyOf(request)
  const known = key && sentences.get(key)
  if (known) {
    sound.append(known.audio)
    return known.warnings
  }
  const stream = client.synthesizeStream(request, call)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const { audio } of stream) {
      sound.append(audio)
      bytes += audio.length
      if (bytes <= maxSentenceBytes) chunks.push(audio)
      await sound.room(call.signal)
    }
  } catch (error) {
    service.noteFailure(error)
    throw error
  }
  const { warnings } = stream
  if (key && bytes <= maxSentenceBytes) {
    sentences.add(key, { audio: Buffer.concat(chunks), warnings })
  }
  return warnings
}

/** @returns nothing for a request that is not JSON, such as one with a circular reference: the client rejects it. */
function keyOf(request: object): string | undefined {
  // As JSON, a large Buffer would hold the event loop.
  if (Object.values(request).some(ArrayBuffer.isView)) return undefined
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}

/** A sentence that was said before. */
export interface SpokenSentence {
  audio: Uint8Array
  warnings: readonly SpeechWarning[]
}

/** Sentences that were said before, up to a number of bytes of audio. */
export interface SentenceCache {
  get(key: string): SpokenSentence | undefined
  add(key: string, sentence: SpokenSentence): void
}

/** A longer text is probably never said again. */
const maxSentenceBytes = 2 * 1024 * 1024
const defaultMaxBytes = 16 * 1024 * 1024

/** Creates a cache that forgets the sentence that was not said for the longest time. */
function createSentenceCache(maxBytes = defaultMaxBytes): SentenceCache {
  // A Map keeps the order in which entries were added.
  const sentences = new Map<string, SpokenSentence>()
  let bytes = 0

  const remove = (key: string) => {
    bytes -= sentences.get(key)?.audio.length ?? 0
    sentences.delete(key)
  }
  const add = (key: string, sentence: SpokenSentence) => {
    remove(key)
    const { length } = sentence.audio
    if (length > maxBytes) return
    sentences.set(key, sentence)
    bytes += length
    for (const oldest of sentences.keys()) {
      if (bytes <= maxBytes) return
      remove(oldest)
    }
  }
  return {
    add,
    get(key) {
      const sentence = sentences.get(key)
      if (sentence) add(key, sentence)
      return sentence
    },
  }
}
