import { pathToFileURL } from 'node:url'
import { fromInt16 } from '../../dsp/pcm.ts'
import type { Sound } from '../engine.ts'
import { runSpeakerProgram } from '../process/program.ts'
import { type Espeak, openEspeak } from './open-espeak.ts'
import { createWordTimer } from './word-times.ts'

/** What the engine asks this program for. */
export interface EspeakPhrase {
  /** One of the codes in `EspeakInfo`. */
  code: string
  text: string
  withWords: boolean
}

export interface EspeakInfo {
  sampleRateHertz: number
  /** Every voice by the code of its language, such as `de` or `pt-br`. */
  voices: readonly { code: string; name: string }[]
}

// Unwarmed, the first phrases take 60 ms and more: the compiler replaces its quick code by fast code meanwhile.
const warmingPhrases = 8

const [packagePath = '', ...warmCodes] = process.argv.slice(2)

await runSpeakerProgram<EspeakInfo, EspeakPhrase>(async () => {
  const espeak = await openEspeak((await import(pathToFileURL(packagePath).href)).default)
  for (const code of warmCodes) {
    for (let count = 0; count < warmingPhrases; count++) {
      speak(
        espeak,
        { code, text: 'Good morning, the coffee is ready', withWords: true },
        () => true,
      )
    }
  }
  const { sampleRateHertz, voices } = espeak
  return {
    info: { sampleRateHertz, voices },
    // Takes 30 ms at most and hears nothing meanwhile: a phrase that nobody wants any more is finished all the same.
    speak: (phrase, onSound) => speak(espeak, phrase, onSound),
  }
})

function speak(
  espeak: Espeak,
  { code, text, withWords }: EspeakPhrase,
  onSound: (sound: Sound) => boolean,
): void {
  const words = withWords ? createWordTimer(text) : undefined
  espeak.speak(code, text, (pcm, events) => {
    return onSound({ samples: fromInt16(pcm), words: words?.push(events) })
  })
  const last = words?.end()
  if (last?.length) onSound({ samples: new Float32Array(), words: last })
}
