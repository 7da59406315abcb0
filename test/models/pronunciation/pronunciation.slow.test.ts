import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { expect, it } from 'vitest'
import { openEnglish } from '../../../packages/local-service/src/engines/hibari/pronunciation/english.ts'
import { findBuiltInData } from '../../../packages/local-service/src/machine/built-in-data.ts'
import { compareWords, readPronunciations } from './compare-pronunciations.ts'

const english = openEnglish(findBuiltInData()!)('american')

it('sentences of homes sound as the reference said them, except for words that Heart says better', () => {
  const recorded = readPronunciations()
  expect(recorded).toHaveLength(2000)
  const sentences = casesToRun(recorded, 500)
  const { words, better, differences } = compareWords(sentences, english.phonemize)
  expect(differences).toEqual([])
  expect(better.length / words).toBeLessThan(0.03)
})
