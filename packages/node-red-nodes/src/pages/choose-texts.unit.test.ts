import { describe, expect, it } from 'vitest'
import { chooseTexts } from './choose-texts.ts'
import { texts as microphoneTexts } from './microphone/texts.ts'
import { texts as speakerTexts } from './speaker/texts.ts'

describe.each<[string, Record<string, Record<string, string>>]>([
  ['speaker', speakerTexts],
  ['microphone', microphoneTexts],
])('the texts of the page of a %s', (_page, all) => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['pt-BR', 'fr-CA', 'de'], 'fr'],
    [['zh-Hant-TW'], 'zh'],
    [['JA'], 'ja'],
    [['pt'], 'en'],
    [[], 'en'],
    [['constructor'], 'en'],
  ])('for %j are in %s', (languages, language) => {
    expect(chooseTexts(all, languages).language).toBe(language)
  })

  it.each(['en', 'de', 'es', 'fr', 'ja', 'zh'])('are complete in %s', (language) => {
    const { texts } = chooseTexts(all, [language])
    expect(Object.keys(texts)).toEqual(Object.keys(chooseTexts(all, ['en']).texts))
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([])
  })

  it.each(['de', 'es', 'fr', 'ja', 'zh'])('are not English in %s', (language) => {
    const english = Object.entries(all['en']!).filter(([key]) => key !== 'volume')
    expect(english.filter(([key, text]) => all[language]![key] === text)).toEqual([])
  })
})
