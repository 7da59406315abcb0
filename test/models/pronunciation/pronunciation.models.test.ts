import { expect, it } from 'vitest'
import { openEnglish } from '../../../packages/local-service/src/engines/hibari/pronunciation/english.ts'
import { findBuiltInData } from '../../../packages/local-service/src/machine/built-in-data.ts'
import {
  compareWords,
  recordedFile,
  spellOutForHeart,
  writePronunciations,
} from './compare-pronunciations.ts'
import { makeHomeSentences } from './home-sentences.ts'
import { phonemizeByReference } from './reference-phonemiser.ts'

const english = openEnglish(findBuiltInData()!)('american')
const timeout = 600_000

it(
  '99 of 100 words of 2,000 sentences of homes sound as the reference says them',
  async () => {
    const texts = makeHomeSentences(2000).map(spellOutForHeart)
    const sounds = await phonemizeByReference(texts)
    const recorded = texts.map((text, index) => ({ text, sounds: sounds[index]! }))
    const { words, better, differences } = compareWords(recorded, english.phonemize)
    console.table([...better, ...differences])
    console.log(`Of ${words} words, ${better.length} are better and ${differences.length} differ`)
    expect(differences.length / words).toBeLessThanOrEqual(0.01)
    // Vitest's option -u writes the file again.
    await expect(writePronunciations(recorded)).toMatchFileSnapshot(recordedFile)
  },
  timeout,
)
