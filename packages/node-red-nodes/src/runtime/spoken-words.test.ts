import { expect, it } from 'vitest'
import { spokenOrEnglish, spokenWords } from './spoken-words.ts'

it('the words of a language are found by its code, in any region', () => {
  for (const code of ['de', 'de-AT', 'DE_CH']) {
    expect(spokenWords(code)?.answers.yes[0]).toBe('ja')
  }
  expect(spokenWords('zh-TW')).toBe(spokenWords('zh-CN'))
})

it('a language without a folder has none, and gets English ones where something has to be said', () => {
  for (const code of ['it', 'AUTO', '']) {
    expect(spokenWords(code)).toBeUndefined()
    expect(spokenOrEnglish(code)).toBe(spokenWords('en'))
  }
})
