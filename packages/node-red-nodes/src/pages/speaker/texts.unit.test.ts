import { describe, expect, it } from 'vitest'
import { pageTexts } from './texts.ts'

describe('the texts of a page', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['pt-BR', 'fr-CA', 'de'], 'fr'],
    [['zh-Hant-TW'], 'zh'],
    [['JA'], 'ja'],
    [['pt'], 'en'],
    [[], 'en'],
    [['constructor'], 'en'],
  ])('for %j are in %s', (languages, language) => {
    expect(pageTexts(languages).language).toBe(language)
  })

  it.each(['en', 'de', 'es', 'fr', 'ja', 'zh'])('are complete in %s', (language) => {
    const { texts } = pageTexts([language])
    expect(Object.keys(texts)).toEqual(Object.keys(pageTexts(['en']).texts))
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([])
  })
})
