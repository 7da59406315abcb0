import { randomUUID } from 'node:crypto'
import type { SpeechChunk, SpeechRequest } from '@parlando/core'
import {
  type AudioEncoding,
  completeFile,
  createDurationMeter,
  writeWavHeader,
} from '@parlando/core/audio'
import { firstCharacters } from '@parlando/core/text'
import { speechWithChunks } from '../runtime/speech/speech-with-chunks.ts'
import type { Speech } from '../runtime/speech-service.ts'
import type { RecentText } from './recent-text.ts'

/** What a service states about its speech. */
export interface SpeechOrigin {
  /** Its name; empty: this device. */
  service: string
  isOnDevice: boolean
  /** Whether the sound is kept too. */
  keepsSound: boolean
  /** The id of the text of which this is a sentence. */
  textId?: string | undefined
}

interface Entry {
  shown: RecentText
  textId: string | undefined
  sound?: { bytes: Buffer; encoding: AudioEncoding; sampleRateHertz: number; mediaType: string }
}

const maxTexts = 50
const maxTextCharacters = 2_000
/** One sound has at most this many bytes: two minutes of MP3, or 40 s of PCM. */
const maxSoundBytes = 2 * 1024 * 1024
/** All sounds have at most this many bytes: 50 short announcements. */
const maxTotalBytes = 8 * 1024 * 1024

/**
 * The last texts of all services, in memory only. The oldest ones lose their sounds first. A text that is spoken sentence by sentence
 * is one of them, with its last sentence: a book would drive out all others.
 */
export class RecentSpeech {
  readonly #onChange: () => void
  #entries: Entry[] = []

  /** @param onChange called when a text was added. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** The newest first. */
  list(): RecentText[] {
    return this.#entries.map(({ shown, sound }) => ({ ...shown, hasSound: sound !== undefined }))
  }

  /** The sound of a text, as a file that browsers play. @returns nothing if it is not in memory. */
  soundOf(id: string): { audio: Uint8Array; mediaType: string } | undefined {
    const sound = this.#entries.find(({ shown }) => shown.id === id)?.sound
    if (!sound) return undefined
    const { bytes, encoding, sampleRateHertz, mediaType } = sound
    if (encoding !== 'PCM') return { audio: completeFile(encoding, bytes), mediaType }
    const header = writeWavHeader({ sampleRateHertz, dataBytes: bytes.length })
    return { audio: Buffer.concat([header, bytes]), mediaType: 'audio/wav' }
  }

  clear(): void {
    this.#entries = []
  }

  /** Notes a speech while somebody reads it. @returns the same speech. */
  observe(speech: Speech, request: SpeechRequest, origin: SpeechOrigin): Speech {
    const reading = new ObservedSpeech(speech, request, origin)
    const chunks = reading.read((entry) => this.#add(entry))
    return speechWithChunks(
      () => speech,
      () => chunks,
    )
  }

  #add(entry: Entry): void {
    const { textId } = entry
    const isSame = (other: Entry) => textId !== undefined && other.textId === textId
    const previous = this.#entries.find(isSame)
    if (previous) addFigures(entry.shown, previous.shown)
    const others = this.#entries.filter((other) => other !== previous)
    this.#entries = [entry, ...others].slice(0, maxTexts)
    let bytes = 0
    for (const each of this.#entries) {
      bytes += each.sound?.bytes.length ?? 0
      if (bytes > maxTotalBytes) delete each.sound
    }
    this.#onChange()
  }
}

/** The cost and the number of the sentences are those of the whole text. */
function addFigures(shown: RecentText, { sentences = 1, charactersCharged }: RecentText): void {
  shown.sentences = sentences + 1
  if (charactersCharged === undefined) return
  shown.charactersCharged = (shown.charactersCharged ?? 0) + charactersCharged
}

/** Collects what a reader receives. */
class ObservedSpeech {
  readonly #speech: Speech
  readonly #request: SpeechRequest
  readonly #origin: SpeechOrigin
  readonly #atMs = Date.now()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #isComplete = false

  constructor(speech: Speech, request: SpeechRequest, origin: SpeechOrigin) {
    this.#speech = speech
    this.#request = request
    this.#origin = origin
  }

  async *read(onEnd: (entry: Entry) => void): AsyncGenerator<SpeechChunk, void> {
    const { encoding, sampleRateHertz } = this.#speech
    const meter = createDurationMeter(encoding, sampleRateHertz)
    try {
      for await (const chunk of this.#speech) {
        meter.push(chunk.audio)
        this.#keep(chunk.audio)
        yield chunk
      }
      this.#isComplete = true
    } finally {
      if (this.#bytes > 0) onEnd(this.#entry(meter.seconds))
    }
  }

  #keep(audio: Uint8Array): void {
    this.#bytes += audio.length
    if (!this.#origin.keepsSound) return
    // A flow may change the bytes of its message.
    if (this.#bytes <= maxSoundBytes) this.#chunks.push(Buffer.from(audio))
    else this.#chunks.length = 0
  }

  #entry(seconds: number | undefined): Entry {
    const { encoding, sampleRateHertz, mediaType, firstAudioMs, isKept = false } = this.#speech
    const { text, voiceId, modelId = '' } = this.#request
    const { service, isOnDevice, keepsSound, textId } = this.#origin
    const charactersCharged = isKept
      ? 0
      : (this.#speech.usage?.processedCharactersCount ?? text.length)
    const shown: RecentText = {
      id: randomUUID(),
      atMs: this.#atMs,
      service,
      text: firstCharacters(text, maxTextCharacters),
      voiceId,
      modelId,
      totalMs: Date.now() - this.#atMs,
      isKept,
      isComplete: this.#isComplete,
      hasSound: false,
      ...(firstAudioMs !== undefined && { firstAudioMs }),
      ...(seconds !== undefined && { seconds }),
      ...(!isOnDevice && { charactersCharged }),
    }
    const isWhole = keepsSound && this.#bytes <= maxSoundBytes
    if (!isWhole) return { shown, textId }
    const bytes = Buffer.concat(this.#chunks)
    return { shown, textId, sound: { bytes, encoding, sampleRateHertz, mediaType } }
  }
}
