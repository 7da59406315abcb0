import { readFileSync } from 'node:fs'
import { unreadableVoices } from '../built-in-voices.ts'
import { servePhrases, type ThreadPhrase } from '../threads/serve-phrases.ts'
import { openEnglish } from './pronunciation/english.ts'
import type { Accent } from './pronunciation/lexicon.ts'
import { type OpenVoice, type SpokenPiece, speakPhrase } from './speak-phrase.ts'
import { readWeights, type Weights } from './weights.ts'

export interface HibariPhrase extends ThreadPhrase {
  /** The path of the voice's weights. */
  weights: string
  accent: Accent
}

/** Larger than what a voice with its lists takes, which hardly depends on the phrase. */
const memoryBytes = 40 * 1024 * 1024

const phrases = servePhrases<HibariPhrase, SpokenPiece>()
const folder = phrases.given as string
const opened = new Map<string, Weights>()
let openAccent: ReturnType<typeof openEnglish> | undefined
try {
  // Now, so that the first phrase does not wait for it.
  openAccent = openEnglish(folder)
} catch {
  // The first phrase tries again, and reports it.
}

for (;;) {
  const phrase = phrases.next()
  const voice = findVoice(phrase)
  if (voice) speak(voice, phrase)
  else phrases.fail(unreadableVoices)
}

function speak(voice: OpenVoice, { text, passedOnSamples = 0 }: HibariPhrase): void {
  let skipped = 0
  for (const piece of speakPhrase(voice, text)) {
    if (phrases.isStopped()) break
    skipped += piece.samples.length
    if (skipped > passedOnSamples) phrases.passOn(piece)
  }
  phrases.end({ isStopped: phrases.isStopped(), memoryBytes })
}

/** @returns nothing if its files are missing or damaged. */
function findVoice({ weights: path, accent }: HibariPhrase): OpenVoice | undefined {
  try {
    openAccent ??= openEnglish(folder)
    const weights = opened.get(path) ?? readWeights(readFileSync(path))
    opened.set(path, weights)
    return { english: openAccent(accent), weights }
  } catch {
    return undefined
  }
}
