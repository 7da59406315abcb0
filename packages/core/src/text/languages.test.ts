import { describe, expect, it } from 'vitest'
import {
  includesLanguage,
  isLanguageCode,
  isSameLanguage,
  languageOf,
  lookUpLanguage,
  toLangCode,
} from './languages.ts'

describe('includesLanguage', () => {
  it.each([
    ['de', 'DE_DE'],
    ['de', 'de-AT'],
    ['DE', 'de_CH'],
    ['en-US', 'EN_US'],
    ['en_us', 'en'],
    ['es', 'ES_419'],
    ['zh-Hant', 'ZH_TW'],
    ['zh-Hans', 'zh-CN'],
    ['zh', 'cmn-Hans-CN'],
    ['zh-CN', 'zh-Hans'],
    ['sr-Latn', 'sr-Latn-RS'],
    ['he', 'iw-IL'],
    ['no', 'nb-NO'],
    ['nb', 'NO_NO'],
    ['en-GB', 'en-gb-x-rp'],
  ])('finds %s in %s', (range, code) => expect(includesLanguage(range, code)).toBe(true))

  it.each([
    ['de-AT', 'DE_DE'],
    ['en-GB', 'en'],
    ['zh-Hant', 'ZH_CN'],
    ['zh', 'yue-HK'],
    ['sr-Latn', 'sr-RS'],
    ['nn', 'nb-NO'],
    ['e', 'EN_US'],
    ['en', 'eng-lish-invalid-'],
    ['de', 'AUTO'],
    ['AUTO', 'DE_DE'],
    ['de', ''],
    ['de', undefined],
    ['de', null],
  ])('does not find %s in %s', (range, code) => expect(includesLanguage(range, code)).toBe(false))
})

describe('isSameLanguage', () => {
  it('ignores script and region', () => {
    expect(isSameLanguage('en-GB', 'EN_US')).toBe(true)
    expect(isSameLanguage('zh-Hant', 'zh-CN')).toBe(true)
    expect(isSameLanguage('de', 'da')).toBe(false)
  })

  it('is false for texts that are not codes, also if they are equal', () => {
    expect(isSameLanguage('AUTO', 'AUTO')).toBe(false)
    expect(isSameLanguage('', '')).toBe(false)
  })
})

describe('lookUpLanguage', () => {
  const codes = ['EN_US', 'EN_GB', 'DE_DE', 'ZH_CN', 'ZH_TW']
  const find = (range: string) => lookUpLanguage(range, codes, (code) => [code])

  it('prefers the region, then takes another one of the language', () => {
    expect(find('en-GB')).toBe('EN_GB')
    expect(find('en-AU')).toBe('EN_US')
    expect(find('de-AT')).toBe('DE_DE')
    expect(find('zh-Hant')).toBe('ZH_TW')
  })

  it('returns undefined if nothing has the language', () => {
    expect(find('fr')).toBeUndefined()
    expect(find('AUTO')).toBeUndefined()
  })
})

describe('language codes', () => {
  it.each(['en', 'EN_US', 'es-419', 'zh-Hant-TW', 'yue'])('include %s', (code) =>
    expect(isLanguageCode(code)).toBe(true),
  )
  it.each(['AUTO', '', 'English', 'en-', 'en US', '*'])('do not include "%s"', (code) =>
    expect(isLanguageCode(code)).toBe(false),
  )
  it('have a language', () => {
    expect(['EN_US', 'cmn', 'AUTO'].map(languageOf)).toEqual(['en', 'zh', 'auto'])
  })
  it('become codes of voices, with the likely region', () => {
    const codes = ['en', 'en-gb', 'de_AT', 'pt', 'es-419', 'nb', '', 'multilingual'].map(toLangCode)
    expect(codes).toEqual(['EN_US', 'EN_GB', 'DE_AT', 'PT_BR', 'ES_419', 'NO_NO', 'AUTO', 'AUTO'])
  })
})
