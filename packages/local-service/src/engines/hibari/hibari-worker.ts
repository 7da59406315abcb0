import { readFileSync, statSync } from 'node:fs'
import { unreadableVoices } from '../../machine/built-in-data.ts'
import { readWeights, type Weights } from '../../neural-networks/weights.ts'
import { type ServedPhrase, servePhrases, type ThreadPhrase } from '../threads/serve-phrases.ts'
import { generateSpeech, type OpenVoice, type SpokenPiece } from './generate-speech.ts'
import { openEnglish } from './pronunciation/english.ts'
import type { Accent } from './pronunciation/word-endings.ts'

export interface HibariPhrase extends ThreadPhrase {
  /** The path of the voice's weights. */
  weights: string
  accent: Accent
}

type Served = ServedPhrase<HibariPhrase, SpokenPiece>

/**
 * Larger than what a voice with its lists takes, which hardly depends on the phrase. Each further voice adds 7 MiB, so no thread
 * reaches the limit above which it is replaced.
 */
const memoryBytes = 40 * 1024 * 1024

const phrases = servePhrases<HibariPhrase, SpokenPiece>()
const folder = phrases.given as string
/** Those that have begun. */
const speeches = new Map<Served, Generator<SpokenPiece, void>>()
/** The weights of each file, and when it was put there or changed. */
const opened = new Map<string, { weights: Weights; changedAtMs: number }>()
let openAccent: ReturnType<typeof openEnglish> | undefined
try {
  // Now, so that the first phrase does not wait for it.
  openAccent = openEnglish(folder)
} catch {
  // The first phrase tries again, and reports it.
}

for (;;) speakPiece(phrases.next())

function speakPiece(served: Served): void {
  const speech = speeches.get(served) ?? begin(served)
  const isStopped = served.isStopped()
  const piece = isStopped ? undefined : speech?.next().value
  if (piece) {
    served.passOn(piece)
    return
  }
  speeches.delete(served)
  if (speech) served.end({ isStopped, memoryBytes })
  else served.fail(unreadableVoices)
}

function begin(served: Served): Generator<SpokenPiece, void> | undefined {
  const voice = findVoice(served.phrase)
  if (!voice) return undefined
  const { text, passedOnSamples = 0 } = served.phrase
  const speech = withoutStart(generateSpeech(voice, text), passedOnSamples)
  speeches.set(served, speech)
  return speech
}

function* withoutStart(
  pieces: Iterable<SpokenPiece>,
  samples: number,
): Generator<SpokenPiece, void> {
  let made = 0
  for (const piece of pieces) {
    made += piece.samples.length
    if (made > samples) yield piece
  }
}

/** @returns nothing if its files are missing or damaged. */
function findVoice({ weights: path, accent }: HibariPhrase): OpenVoice | undefined {
  try {
    openAccent ??= openEnglish(folder)
    return { english: openAccent(accent), weights: openWeights(path) }
  } catch {
    return undefined
  }
}

function openWeights(path: string): Weights {
  const known = opened.get(path)
  // `mtimeMs` would not do: npm gives all files the same one.
  const changedAtMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs
  // A voice can be removed while it speaks, and another version installed.
  if (known && (changedAtMs ?? known.changedAtMs) === known.changedAtMs) return known.weights
  const weights = readWeights(readFileSync(path))
  opened.set(path, { weights, changedAtMs: changedAtMs ?? 0 })
  return weights
}
