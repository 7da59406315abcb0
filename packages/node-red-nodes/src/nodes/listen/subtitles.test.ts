import { expect, it } from 'vitest'
import { writeSubtitles } from './subtitles.ts'

/** Words of 0.3 seconds each, without pauses. */
function wordsOf(text: string, startSeconds = 0) {
  return text.split(' ').map((word, index) => ({
    text: word,
    startSeconds: startSeconds + 0.3 * index,
    endSeconds: startSeconds + 0.3 * (index + 1),
  }))
}

it('a subtitle has a number, its times and its text', () => {
  expect(writeSubtitles(wordsOf('good morning', 3661.25))).toBe(
    '1\n01:01:01,250 --> 01:01:01,850\ngood morning\n',
  )
})

it('a pause and the end of a sentence begin a new subtitle', () => {
  const words = [...wordsOf('Number one is here. Two'), ...wordsOf('three', 3)]
  expect(writeSubtitles(words)).toBe(
    [
      '1\n00:00:00,000 --> 00:00:01,200\nNumber one is here.\n',
      '2\n00:00:01,200 --> 00:00:01,500\nTwo\n',
      '3\n00:00:03,000 --> 00:00:03,300\nthree\n',
    ].join('\n'),
  )
})

it('a subtitle has at most two lines of similar length, and lasts at most 7 seconds', () => {
  const text = 'the quick brown fox jumps over the lazy dog and runs away '.repeat(10).trim()
  const cues = writeSubtitles(wordsOf(text)).trim().split('\n\n')
  const texts = cues.map((cue) => cue.split('\n').slice(2))
  expect(texts.flat().join(' ')).toBe(text)
  for (const lines of texts) {
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(48)
  }
  expect(texts[0]).toEqual([
    'the quick brown fox jumps over the lazy dog',
    'and runs away the quick brown fox jumps',
  ])
})

it('a long word stays whole', () => {
  const word = 'a'.repeat(100)
  expect(writeSubtitles(wordsOf(word))).toBe(`1\n00:00:00,000 --> 00:00:00,300\n${word}\n`)
})

it('no words make no subtitles', () => {
  expect(writeSubtitles([])).toBe('')
})
