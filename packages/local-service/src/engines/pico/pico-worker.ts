import { joinSamples } from '../../audio/signal.ts'
import { unreadableVoices } from '../../machine/built-in-data.ts'
import { type PieceOfSound, servePhrases, type ThreadPhrase } from '../threads/serve-phrases.ts'
import { openPico, sampleRateHertz } from './open-pico.ts'

export interface PicoPhrase extends ThreadPhrase {
  /** The files of the voice. */
  files: readonly string[]
}

const firstPieceSamples = 0.1 * sampleRateHertz
const pieceSamples = 0.25 * sampleRateHertz

const phrases = servePhrases<PicoPhrase, PieceOfSound>()
const pico = await openPico(phrases.given as string)

for (;;) {
  const served = phrases.next()
  const { files, text, passedOnSamples = 0 } = served.phrase
  if (!canOpen(files)) {
    served.fail(unreadableVoices)
    continue
  }
  let waiting: Float32Array[] = []
  let waitingSamples = 0
  let wanted = firstPieceSamples
  let passedOn = 0
  const passOn = () => {
    passedOn += waitingSamples
    if (passedOn > passedOnSamples) served.passOn({ samples: joinSamples(waiting) })
    waiting = []
    waitingSamples = 0
    wanted = pieceSamples
  }
  for (const samples of pico.speak(files, text)) {
    if (served.isStopped()) break
    if (samples.length === 0) continue
    waiting.push(samples)
    waitingSamples += samples.length
    if (waitingSamples >= wanted) passOn()
  }
  if (waitingSamples > 0 && !served.isStopped()) passOn()
  served.end({ isStopped: served.isStopped(), memoryBytes: pico.memoryBytes })
}

/** @returns false if a file is missing or damaged. */
function canOpen(files: readonly string[]): boolean {
  try {
    pico.open(files)
    return true
  } catch {
    return false
  }
}
