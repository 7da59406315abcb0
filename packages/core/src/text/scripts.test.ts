import { expect, it } from 'vitest'
import { foreignScript, hasUnspacedScript } from './scripts.ts'

it.each(['東京', 'ひらがな', 'カタカナ', 'สวัสดี', 'ສະບາຍດີ', 'ជំរាបសួរ', 'မင်္ဂလာပါ'])(
  'hasUnspacedScript finds the script of %s',
  (text) => {
    expect(hasUnspacedScript(`Hello ${text}`)).toBe(true)
  },
)

it.each(['Hello', 'Привет', '한국어', 'नमस्ते', '123 …'])(
  'hasUnspacedScript finds none in %s',
  (text) => {
    expect(hasUnspacedScript(text)).toBe(false)
  },
)

it.each([
  ['Привет, как дела?', 'EN_US', 'Cyrillic'],
  ['Привет, как дела?', 'ru-RU', undefined],
  ['Καλημέρα', 'de', 'Greek'],
  ['今日は天気がいいですね', 'EN_GB', 'Hiragana'],
  ['東京タワーへ行く', 'EN_GB', 'Han'],
  ['Привет', 'AUTO', undefined],
  ['今日は天気がいいですね', 'JA_JP', undefined],
  ['你好，今天天气很好。', 'zh-CN', undefined],
  ['你好，今天天气很好。', 'EN_US', 'Han'],
  ['مرحبا', 'FR_FR', 'Arabic'],
  ['The letter π is Greek.', 'EN_US', undefined],
  ['Good morning', 'RU_RU', undefined],
  ['123 …', 'EN_US', undefined],
  ['', 'EN_US', undefined],
])('foreignScript of %j for %s is %s', (text, language, script) => {
  expect(foreignScript(text, language)).toBe(script)
})

it('foreignScript examines only the beginning of a long text', () => {
  expect(foreignScript(`${'a'.repeat(2000)}${'я'.repeat(9000)}`, 'EN_US')).toBeUndefined()
})
