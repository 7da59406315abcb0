import { readFileSync, statSync } from 'node:fs'
import { unreadableVoices } from '../../machine/built-in-data.ts'
import { readWeights, type Weights } from '../../neural-networks/weights.ts'
import { servePhrases, type ThreadPhrase } from '../threads/serve-phrases.ts'
import { generateSpeech, type OpenVoice, type SpokenPiece } from './generate-speech.ts'
import { openEnglish } from './pronunciation/english.ts'
import type { Accent } from './pronunciation/word-endings.ts'

export interface HibariPhrase extends ThreadPhrase {
  /** The path of the voice's weights. */
  weights: string
  accent: Accent
}

/**
 * Larger than what a voice with its lists takes, which hardly depends on the phrase. Each further voice adds 7 MiB, so no thread
 * reaches the limit above which it is replaced.
 */
const memoryBytes = 40 * 1024 * 1024

const phrases = servePhrases<HibariPhrase, SpokenPiece>()
const folder = phrases.given as string
/** The weights of each file, and when it was put there or changed. */
const opened = new Map<string, { weights: Weights; changedAtMs: number }>()
let openAccent: ReturnType<typeof openEnglish> | undefined
try {
  // Now, so that the first phrase does not wait for it.
  openAccent = openEnglish(folder)
} catch {
  // The first phrase tries again, and reports it.
}

for (;;) speak(phrases.next())

function speak(phrase: HibariPhrase): void {
  const voice = findVoice(phrase)
  if (voice) sendSpeech(voice, phrase)
  else phrases.fail(unreadableVoices)
}

function sendSpeech(voice: OpenVoice, { text, passedOnSamples = 0 }: HibariPhrase): void {
  let skipped = 0
  for (const piece of generateSpeech(voice, text)) {
    if (phrases.isStopped()) break
    skipped += piece.samples.length
    if (skipped > passedOnSamples) phrases.passOn(piece)
    for (let urgent = phrases.nextUrgent(); urgent; urgent = phrases.nextUrgent()) speak(urgent)
  }
  phrases.end({ isStopped: phrases.isStopped(), memoryBytes })
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
