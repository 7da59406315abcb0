import { isThoroughRun, propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLongText } from './long-text.ts'

/** Finds each piece in the text. Fails if anything other than white space surrounds the pieces. */
function placesOf(text: string, pieces: string[]): { start: number; end: number }[] {
  let at = 0
  const places = pieces.map((piece) => {
    const start = text.indexOf(piece, at)
    expect(start).toBeGreaterThanOrEqual(at)
    expect(text.slice(at, start).trim()).toBe('')
    at = start + piece.length
    return { start, end: at }
  })
  expect(text.slice(at).trim()).toBe('')
  return places
}

function cutsOf(text: string, pieces: string[]): number[] {
  return placesOf(text, pieces).flatMap(({ start, end }) => [start, end])
}

const words = fc.constantFrom(
  'laundry',
  'a',
  'Good',
  'né',
  '東京',
  'สวัสดี',
  '3.5',
  '1,000',
  'I',
  '5 €',
)
const marks = fc.constantFrom(
  '.',
  '!',
  ', ',
  '; ',
  '。',
  '、',
  '…',
  ' – ',
  '-',
  '"',
  '(',
  ')',
  '***',
)
const spaces = fc.constantFrom(' ', ' ', '  ', '\n', '\r\n', '\n\n', '\u00a0', '\u2029', '\t')
const graphemes = fc.constantFrom('🇩🇪', '👨‍👩‍👧', '👍🏽', 'e\u0301', ' \u0301', '한', '𝒳', 'क्षि')
const slashes = fc.constantFrom(
  'and/or',
  '1/2/2026',
  ' / ',
  ' /month',
  'http://a.b/c/d?e=/f',
  '/usr/bin',
)
const strays = fc.constantFrom('[', ' <', 'a<b', ']', '>', '<verbatim>', ' /', '//')
const markup = fc.constantFrom(
  '[sigh]',
  '[very sad. Really]',
  '<break time="1s"/>',
  '<verbatim>A. B, C</verbatim>',
  '/həˈloʊ wɜːld/',
  '/a/',
)

const anything = fc
  .array(fc.oneof(words, marks, spaces, graphemes, slashes, strays, markup, fc.string()))
  .map((parts) => parts.join(''))

describe('cutLongText', () => {
  it('returns text within the limit unchanged', () => {
    const text = `  ${'a '.repeat(998)}\n\n`
    expect(text.length).toBe(2000)
    expect(cutLongText(text)).toEqual([text])
  })

  it.each([
    ['paragraph', 'One. Two.\n\nThree. Four five', ['One. Two.', 'Three. Four five']],
    ['sentence', 'One, two. Three, four five', ['One, two.', 'Three, four five']],
    ['line', 'One, two\nThree, four five', ['One, two', 'Three, four five']],
    ['clause', 'One two, three four fives', ['One two,', 'three four fives']],
    ['word', 'One two three four fives', ['One two three four', 'fives']],
  ])('cuts at a %s if no better place fits', (_what, text, pieces) => {
    expect(cutLongText(text, 19)).toEqual(pieces)
  })

  it('cuts as late as possible, so that short paragraphs stay together', () => {
    const text = 'One.\n\nTwo.\n\nThree.\n\nFour.'
    expect(cutLongText(text, 20)).toEqual(['One.\n\nTwo.\n\nThree.', 'Four.'])
  })

  it.each([
    ['an abbreviation', 'We saw Dr. Smith there now', 22, ['We saw Dr. Smith there', 'now']],
    ['a title', 'It is Prof. Smith, there', 22, ['It is Prof. Smith,', 'there']],
    ['a German one', 'Nimm z.B. Obst, alle', 17, ['Nimm z.B. Obst,', 'alle']],
    ['a number of a list', 'See this No. 5, and go', 17, ['See this No. 5,', 'and go']],
    ['an ordinal', 'Er kam am 3. Mai, heute', 19, ['Er kam am 3. Mai,', 'heute']],
    ['a decimal', 'It is 3.5 and 1,000 in all', 20, ['It is 3.5 and 1,000', 'in all']],
    ['a wrapped line', 'Yes. It goes\non here, so', 22, ['Yes.', 'It goes\non here, so']],
  ])('does not take %s for the end of a sentence', (_what, text, limit, pieces) => {
    expect(cutLongText(text, limit)).toEqual(pieces)
  })

  it('cuts text without spaces at sentences, clauses and words', () => {
    const text = '東京は大きいです、そしてとても綺麗です。大阪も大きいです'
    expect(cutLongText(text, 12)).toEqual([
      '東京は大きいです、',
      'そしてとても綺麗です。',
      '大阪も大きいです',
    ])
    expect(cutLongText('東京は大きい', 5)).toEqual(['東京は', '大きい'])
  })

  it('ends a sentence before a direction and keeps the direction with its sentence', () => {
    const text = 'It is late. [whisper] Come here now.'
    expect(cutLongText(text, 26)).toEqual(['It is late.', '[whisper] Come here now.'])
  })

  it('cuts normally around slashes, comparisons and brackets that are not markup', () => {
    const prose = 'one and/or two 1/2/2026 a < b http://a.b/c/d [ 3 /month, '
    for (const piece of cutLongText(prose.repeat(20), 60).slice(0, -1)) {
      expect(piece.length).toBeGreaterThan(20)
    }
  })

  it('joins text without letters to text with letters', () => {
    const rest = '<break time="1s"/>\n\n***\n\n[sigh]'
    const pieces = cutLongText(`${rest}\n\nA first one.\n\n${rest}\n\nA second one.\n\n${rest}`, 50)
    expect(pieces.length).toBe(3)
    for (const piece of pieces) expect(piece).toMatch(/one|first|second/)
  })

  it('returns nothing for only white space and trims the text', () => {
    expect(cutLongText(' \n'.repeat(2000))).toEqual([])
    expect(cutLongText(`${' '.repeat(3000)}Hi.${'\n'.repeat(3000)}`)).toEqual(['Hi.'])
  })

  it('joins emoji to a piece with a letter, since a voice cannot speak them without one', () => {
    expect(cutLongText(`The laundry is done. ${'👍 '.repeat(6)}`, 30)).toEqual([
      'The laundry is',
      'done. 👍 👍 👍 👍 👍 👍',
    ])
  })

  it('cuts markup, words and graphemes that are longer than a piece', () => {
    expect(cutLongText('[aaaa bbbb cccc]', 10)).toEqual(['[aaaa bbbb', 'cccc]'])
    expect(cutLongText('a'.repeat(25), 10).map((piece) => piece.length)).toEqual([10, 10, 5])
    expect(cutLongText(`e${'\u0301'.repeat(24)}`, 10).join('').length).toBe(25)
    expect(cutLongText('😀'.repeat(3), 3)).toEqual(['😀', '😀', '😀'])
  })
})

describe('cutLongText, for any text,', () => {
  it('returns all of the text in pieces that fit and are not empty', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 2, max: 80 }), (text, limit) => {
        const pieces = cutLongText(text, limit)
        placesOf(text, pieces)
        if (text.length <= limit) return
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(limit)
          expect(piece.trim()).not.toBe('')
        }
      }),
      { numRuns: propertyRuns(3000) },
    )
  })

  it('keeps all surrogate pairs, and graphemes that fit, whole', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(anything, fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const segments = segmenter.segment(text)
        for (const cut of cutsOf(text, cutLongText(text, limit))) {
          const around = segments.containing(cut)
          if (!around || around.index === cut || around.segment.trim() === '') continue
          expect(around.segment.length).toBeGreaterThan(limit)
          expect(text.codePointAt(cut - 1)).toBeLessThanOrEqual(0xffff)
        }
      }),
      { numRuns: propertyRuns(3000) },
    )
  })

  it('keeps markup that fits whole', () => {
    const open = fc.oneof(slashes, fc.constantFrom('[', '<', 'a<b', '<b', '/month'))
    const pair = fc.tuple(fc.oneof(words, marks, open), fc.option(markup, { nil: '' }))
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: 30, max: 80 }), (pairs, limit) => {
        let text = ''
        const spans = pairs.map(([word, between]) => {
          text += `${word} `
          const start = text.length
          text += `${between} `
          return { start, end: start + between.length }
        })
        for (const cut of cutsOf(text, cutLongText(text, limit))) {
          const inside = spans.find(({ start, end }) => start < cut && cut < end)
          expect(inside && text.slice(inside.start, inside.end)).toBeUndefined()
        }
      }),
      { numRuns: propertyRuns(3000) },
    )
  })

  it('returns no piece without a letter or a digit', () => {
    const silent = fc.constantFrom('***', '[sigh]', '<break time="1s"/>', '—', '...', '\n\n', '!')
    const pair = fc.tuple(words, fc.array(silent, { maxLength: 2 }), spaces)
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: 60, max: 120 }), (pairs, limit) => {
        const text = pairs
          .map(([word, rest, space]) => `${word} ${rest.join(' ')}${space}`)
          .join('')
        if (text.length <= limit) return
        for (const piece of cutLongText(text, limit)) {
          expect(piece.replace(/<[^>]*>|\[[^\]]*\]/g, '')).toMatch(/[\p{L}\p{N}]/u)
        }
      }),
      { numRuns: propertyRuns(3000) },
    )
  })

  it.each(
    [
      'Good night, and so on. ',
      'a',
      '!',
      'a!',
      '[',
      '[a] ',
      '<a',
      ' /a',
      '(/a',
      '\n ',
      '。',
      '\u0301',
      'Dr. ',
    ].map((part) => ({ part })),
  )('takes linear time for a long row of $part', ({ part }) => {
    const characters = isThoroughRun ? 1_000_000 : 200_000
    const text = `x ${part.repeat(characters / part.length)} x`
    const before = process.cpuUsage()
    const pieces = cutLongText(text)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(characters / 250)
    expect(pieces.length).toBeLessThan(characters / 900)
  })
})
