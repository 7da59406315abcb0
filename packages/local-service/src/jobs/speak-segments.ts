import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { SpeechWarning } from '@parlando/core/wire'
import { packSound, unpackSound } from '@parlando/store'
import { fromPcmBytes, toPcmBytes } from '../audio/pcm.ts'
import { joinSamples } from '../audio/signal.ts'
import type { PhraseSound, SpokenWord } from '../engines/engine.ts'
import type { PlaybackClock } from '../engines/schedule/speech-load.ts'
import { cutUtterance, deliverPhrase } from '../speaking/speak-utterance.ts'
import type { SynthesisRequest } from '../speaking/synthesis-request.ts'
import { addWarnings } from '../speaking/warnings.ts'
import { shiftWord } from '../speaking/word-timeline.ts'
import type { Phrase } from '../text/phrases.ts'

/** Keeps the segments of one text. */
export interface SegmentStore {
  read(index: number): Promise<Buffer | undefined>
  /** @param spokenCharacters of the text, up to the end of the segment. */
  write(index: number, bytes: Buffer, spokenCharacters: number): Promise<void>
}

/** About half a minute: what is spoken again after a crash, and what is held in memory. */
const segmentCharacters = 400

/** Nobody is listening, so every listener takes precedence. */
const noListener: PlaybackClock = { add() {}, lastsUntilMs: Number.POSITIVE_INFINITY }

/**
 * Speaks a text segment by segment, and keeps each one, so that a further attempt makes only those that are missing. Unlike for a
 * listener, one phrase at a time is spoken, when no listener needs the engine.
 * @returns sound at the engine's rate. The times of the words count from the start of the text.
 */
export async function* speakSegments(
  request: SynthesisRequest,
  store: SegmentStore,
  signal: AbortSignal,
): AsyncGenerator<PhraseSound, void> {
  const { sampleRateHertz } = request.running.engine
  let spokenSamples = 0
  let spokenCharacters = 0
  let index = 0
  for (const phrases of cutSegments(cutUtterance(request))) {
    // To spell out a text takes a moment, also one that is spoken already.
    await setImmediate()
    signal.throwIfAborted()
    spokenCharacters += charactersOf(phrases)
    const key = keyOf(phrases, request)
    let segment = readSegment(await store.read(index), key)
    if (!segment) {
      segment = await speakSegment(phrases, request, signal)
      await store.write(index, packSegment(segment, key), spokenCharacters)
    }
    addWarnings(request.warnings, segment.warnings)
    const startSeconds = spokenSamples / sampleRateHertz
    const samples = fromPcmBytes(segment.pcm)
    spokenSamples += samples.length
    yield { samples, words: segment.words.map((word) => shiftWord(word, startSeconds)) }
    index += 1
  }
}

function* cutSegments(phrases: Iterable<Phrase>): Generator<Phrase[], void> {
  let segment: Phrase[] = []
  let characters = 0
  for (const phrase of phrases) {
    segment.push(phrase)
    characters += phrase.text.length
    if (characters < segmentCharacters) continue
    yield segment
    segment = []
    characters = 0
  }
  if (segment.length > 0) yield segment
}

/** The length of the text as it was written, about: the spaces between the words may be others. */
function charactersOf(phrases: readonly Phrase[]): number {
  const written = phrases.flatMap(({ text, words }) => words?.map((word) => word.written) ?? [text])
  return written.reduce((sum, text) => sum + text.length + 1, 0)
}

interface Segment {
  /** 16 bits, so that a segment sounds the same whether or not it was kept meanwhile. */
  pcm: Uint8Array
  words: readonly SpokenWord[]
  /** The warnings of another service, which only its response has. */
  warnings: readonly SpeechWarning[]
}

async function speakSegment(
  phrases: readonly Phrase[],
  request: SynthesisRequest,
  signal: AbortSignal,
): Promise<Segment> {
  const { sampleRateHertz } = request.running.engine
  const warnings: SpeechWarning[] = []
  const speech = { noteSpoken() {} }
  const turn = { isFirst: false, clock: noListener, speech, warnings, signal }
  const pieces: Float32Array[] = []
  const words: SpokenWord[] = []
  let spokenSamples = 0
  const add = (samples: Float32Array) => {
    pieces.push(samples)
    spokenSamples += samples.length
  }
  for (const phrase of phrases) {
    if (phrase.text === '') {
      add(new Float32Array(Math.round(phrase.pauseSeconds * sampleRateHertz)))
      continue
    }
    const startSeconds = spokenSamples / sampleRateHertz
    for await (const sound of deliverPhrase(phrase, request, turn)) {
      add(sound.samples)
      for (const word of sound.words ?? []) words.push(shiftWord(word, startSeconds))
    }
  }
  return { pcm: toPcmBytes(joinSamples(pieces)), words, warnings }
}

/** Changes if a later version of the service would speak a segment otherwise, or with another voice. */
function keyOf(phrases: readonly Phrase[], { voice, modelId, prosody, running }: SynthesisRequest) {
  const spoken = phrases.map(({ text, pauseSeconds }) => [text, pauseSeconds])
  const { voice: _, ...sounding } = voice
  const { name, sampleRateHertz } = running.engine
  const facts = [spoken, sounding, modelId, prosody, name, sampleRateHertz]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

function packSegment({ pcm, ...facts }: Segment, key: string): Buffer {
  return packSound({ audio: pcm, facts: { key, ...facts } })
}

/** @returns nothing if the segment is missing, damaged, or that of another text. */
function readSegment(bytes: Buffer | undefined, key: string): Segment | undefined {
  const kept = bytes && unpackSound(bytes)
  if (kept?.facts['key'] !== key) return undefined
  const { words, warnings = [] } = kept!.facts
  return { pcm: kept!.audio, words: words as SpokenWord[], warnings: warnings as SpeechWarning[] }
}
