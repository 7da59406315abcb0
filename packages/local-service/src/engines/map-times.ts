import type { SpokenWord } from './engine.ts'

/** @returns the word with every time, including those of its phones, replaced by `change(seconds)`. */
export function mapTimes(word: SpokenWord, change: (seconds: number) => number): SpokenWord {
  const times = ({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }) => ({
    startSeconds: change(startSeconds),
    endSeconds: change(endSeconds),
  })
  const mapped = { ...word, ...times(word) }
  if (word.phones) mapped.phones = word.phones.map((phone) => ({ ...phone, ...times(phone) }))
  return mapped
}
