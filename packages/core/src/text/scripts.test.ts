import { expect, it } from 'vitest'
import { hasUnspacedScript } from './scripts.ts'

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
