import type { Reminder } from './reminder.ts'

/**
 * Finds reminders by the whole name or the id, or else by words of the name: a recogniser hears an article or an ending more or
 * less.
 */
export function remindersNamed(all: readonly Reminder[], name: string): Reminder[] {
  const wanted = name.toLowerCase()
  const exact = all.filter((one) => one.id === name || one.name.toLowerCase() === wanted)
  if (exact.length > 0) return exact
  return all.filter((one) => {
    const own = one.name.toLowerCase()
    return own !== '' && (containsWord(own, wanted) || containsWord(wanted, own))
  })
}

/** Whether a part is at the beginning of a word: "Pizza" is in "Pizzatimer", but "last" is not in "plastic". */
function containsWord(text: string, part: string): boolean {
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + 1)) {
    if (index === 0 || !withinWord.test(text.slice(index - 1, index + 1))) return true
  }
  return false
}

/** Two characters of one word. Scripts without upper and lower case have no blanks between words, or write an article with its word. */
const withinWord = /^[\p{LC}\p{M}\p{N}]{2}$/u
