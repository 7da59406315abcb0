import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unreadableVoices } from '../built-in-voices.ts'
import { servePhrases } from '../threads/serve-phrases.ts'
import type { ThreadPhrase } from '../threads/thread-protocol.ts'
import { type English, openEnglish } from './pronunciation/english.ts'
import { type OpenVoice, type SpokenPiece, speakPhrase } from './speak-phrase.ts'
import { readWeights } from './weights.ts'

export interface HibariPhrase extends ThreadPhrase {
  voice: string
}

/** Larger than what a voice with its lists takes, which hardly depends on the phrase. */
const memoryBytes = 40 * 1024 * 1024

const phrases = servePhrases<HibariPhrase, SpokenPiece>()
const folder = phrases.given as string
const voices = new Map<string, OpenVoice>()
let english: English | undefined
try {
  // Now, so that the first phrase does not wait for it.
  english = openEnglish(join(folder, 'english'))
} catch {
  // The first phrase tries again, and reports it.
}

for (;;) {
  const phrase = phrases.next()
  const voice = findVoice(phrase.voice)
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
function findVoice(name: string): OpenVoice | undefined {
  try {
    const voice = voices.get(name) ?? openVoice(name)
    voices.set(name, voice)
    return voice
  } catch {
    return undefined
  }
}

function openVoice(name: string): OpenVoice {
  english ??= openEnglish(join(folder, 'english'))
  return { english, weights: readWeights(readFileSync(join(folder, name, 'weights.safetensors'))) }
}
