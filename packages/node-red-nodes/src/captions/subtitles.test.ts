import { describe, expect, it } from 'vitest'
import { writeSubtitles, writeWebVtt } from './subtitles.ts'

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

/** Words of equal length, without pauses. */
const timed = (texts: readonly string[], seconds = 0.4) =>
  texts.map((text, index) => ({
    text,
    startSeconds: index * seconds,
    endSeconds: (index + 1) * seconds,
  }))

describe('captions', () => {
  it('have a cue for each sentence, and two lines for a long one', () => {
    const words = 'Dinner is ready in the kitchen, and everybody is waiting for you. Come down!'
    expect(writeWebVtt(timed(words.split(' ')))).toBe(`WEBVTT

00:00:00.000 --> 00:00:04.800
Dinner is ready in the kitchen,
and everybody is waiting for you.

00:00:04.800 --> 00:00:05.800
Come down!
`)
  })

  it('show a sentence that is too short to read together with the next one', () => {
    expect(writeWebVtt(timed(['No.', 'Come', 'down.']))).toContain(
      '00:00:00.000 --> 00:00:01.200\nNo. Come down.\n',
    )
  })

  it('begin anew after a pause, and end before the next one begins', () => {
    const [first, second] = timed(['Hello', 'there'], 0.3)
    const later = { ...second!, startSeconds: 0.9, endSeconds: 1.2 }
    expect(writeWebVtt([first!, later])).toBe(`WEBVTT

00:00:00.000 --> 00:00:00.900
Hello

00:00:00.900 --> 00:00:01.900
there
`)
  })

  it('have cues of at most seven seconds, however slowly somebody speaks', () => {
    const times = /(\d\d\.\d{3}) --> \d\d:\d\d:(\d\d\.\d{3})/g
    const vtt = writeWebVtt(timed('so it goes on and on and on until the end'.split(' '), 3))
    const seconds = [...vtt.matchAll(times)].map(([, from, to]) => Number(to) - Number(from))
    expect(seconds).toEqual([6, 6, 6, 6, 6, 3])
  })

  it('join words with spaces and punctuation of their own', () => {
    const words = ['', 'Tom', ' ', '&', ' ', '"', 'Jerry', '"', ',', ' ', '<3', '!']
    expect(writeWebVtt(timed(words, 0.1))).toContain('\nTom &amp; "Jerry", &lt;3!\n')
    expect(writeWebVtt(timed(['Hello', ',', 'you', '.']))).toContain('\nHello, you.\n')
  })

  it('have no spaces where the script has none, and shorter lines', () => {
    const vtt = writeWebVtt(timed([...'今天很好'.repeat(20)], 0.05))
    const lines = vtt.split('\n').filter((line) => line.includes('今'))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(line).toMatch(/^[今天很好]{1,21}$/)
  })

  it('count hours beyond a day', () => {
    const word = { text: 'late', startSeconds: 90_000.5, endSeconds: 90_002 }
    expect(writeWebVtt([word])).toContain('25:00:00.500 --> 25:00:02.000')
  })

  it('of a text without words have no cues', () => {
    expect(writeWebVtt([])).toBe('WEBVTT\n')
  })
})
