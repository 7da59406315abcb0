import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { servePhrases } from '../threads/serve-phrases.ts'
import type { ThreadPhrase } from '../threads/thread-protocol.ts'
import { openEnglish } from './pronunciation/english.ts'
import { type OpenVoice, type SpokenPiece, speakPhrase } from './speak-phrase.ts'
import { readWeights } from './weights.ts'

export interface HibariPhrase extends ThreadPhrase {
  voice: string
}

/** Larger than what a voice with its lists takes, which hardly depends on the phrase. */
const memoryBytes = 40 * 1024 * 1024

const phrases = servePhrases<HibariPhrase, SpokenPiece>()
const folder = phrases.given as string
const english = openEnglish(join(folder, 'english'))
const voices = new Map<string, OpenVoice>()

for (;;) {
  const { voice, text, passedOnSamples = 0 } = phrases.next()
  let skipped = 0
  for (const piece of speakPhrase(openVoice(voice), text)) {
    if (phrases.isStopped()) break
    skipped += piece.samples.length
    if (skipped > passedOnSamples) phrases.passOn(piece)
  }
  phrases.end({ isStopped: phrases.isStopped(), memoryBytes })
}

function openVoice(name: string): OpenVoice {
  const known = voices.get(name)
  if (known) return known
  const weights = readWeights(readFileSync(join(folder, name, 'weights.safetensors')))
  const opened = { english, weights }
  voices.set(name, opened)
  return opened
}
