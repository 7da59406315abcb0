import { pathToFileURL } from 'node:url'
import { fromInt16 } from '../../audio/pcm.ts'
import type { SpelledWord } from '../../text/spell-out/word.ts'
import type { PhraseSound } from '../engine.ts'
import { runSpeakerProgram } from '../process/run-speaker.ts'
import { type Espeak, openEspeak } from './open-espeak.ts'
import { createWordTimer } from './word-timer.ts'

/** A request of the engine to this program. */
export interface EspeakPhrase {
  /** The language, such as `de` or `pt-br`. */
  code: string
  text: string
  /** The words of a text that was spelled out. */
  words?: readonly SpelledWord[] | undefined
  withWords: boolean
}

/** What the installed espeak-ng offers. */
export type EspeakInfo = Pick<Espeak, 'sampleRateHertz' | 'voices'>

const [packagePath = ''] = process.argv.slice(2)

await runSpeakerProgram<EspeakInfo, EspeakPhrase>(async () => {
  const espeak = await openEspeak((await import(pathToFileURL(packagePath).href)).default)
  const { sampleRateHertz, voices } = espeak
  return {
    info: { sampleRateHertz, voices },
    // Blocks for at most 30 ms. A cancel message is only read afterwards, when the phrase is already finished.
    speak: (phrase, onSound) => speak(espeak, phrase, onSound),
  }
})

function speak(
  espeak: Espeak,
  { code, text, words: spelled, withWords }: EspeakPhrase,
  onSound: (sound: PhraseSound) => boolean,
): void {
  const words = withWords ? createWordTimer(text, spelled) : undefined
  espeak.speak(code, text, (pcm, events) => {
    return onSound({ samples: fromInt16(pcm), words: words?.push(events) })
  })
  const last = words?.end()
  if (last?.length) onSound({ samples: new Float32Array(), words: last })
}
