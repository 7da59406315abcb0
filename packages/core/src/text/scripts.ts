const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const chineseOrJapanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a text contains a script that puts no spaces between words: Chinese, Japanese, Thai, Lao, Khmer or Burmese. */
export function hasUnspacedScript(text: string): boolean {
  return unspacedScript.test(text)
}

/** Whether a text contains Chinese or Japanese, whose sentences follow each other without a space. */
export function hasChineseOrJapanese(text: string): boolean {
  return chineseOrJapanese.test(text)
}
