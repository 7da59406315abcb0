import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PronouncedText, pronounce } from './pronounced-text.ts'
import { Pronunciations } from './pronunciations.ts'

const names = new Pronunciations([
  { word: 'Nguyen', sayAs: 'win' },
  { word: 'Xiaomi', sayAs: 'shau mee' },
  { word: 'New York', sayAs: 'Noo York' },
  { word: 'IT', sayAs: 'I T' },
  { word: 'Polish', sayAs: 'Poe lish' },
  { word: 'polish', sayAs: 'polish' },
  { word: 'C++', sayAs: 'C plus plus' },
  { word: 'Ångström', sayAs: 'ong strum' },
  { word: '小米', sayAs: 'siao mi' },
  { word: 'Straße', sayAs: 'shtrasse' },
  { word: 'won', sayAs: 'wonn' },
  { word: '50', sayAs: 'fifty' },
  { word: 'Crete', sayAs: '/kriːt/' },
])

describe('pronunciations', () => {
  it.each([
    ['Nguyen called.', 'win called.'],
    ["NGUYEN's car, nguyen-smith and (Nguyen).", "win's car, win-smith and (win)."],
    ['Nguyens, anNguyen and Nguyen2 stay', 'Nguyens, anNguyen and Nguyen2 stay'],
    ['in new  york, New\nYork', 'in Noo York, Noo York'],
    ['Ask IT about it. It is.', 'Ask I T about it. It is.'],
    ['Polish people polish', 'Poe lish people polish'],
    ['C++ and C+', 'C plus plus and C+'],
    ['A\u030angstro\u0308m', 'ong strum'],
    ['我的小米手机', '我的siao mi手机'],
    ['Xiaomi手机', 'shau mee手机'],
    ['STRASSE', 'shtrasse'],
    ["I won, you won't", "I wonn, you won't"],
    ['50 of 1.50 or 50,5 or 50.', 'fifty of 1.50 or 50,5 or fifty.'],
    ['to Crete.', 'to /kriːt/.'],
    ['𝒳Nguyen 🎉Nguyen', '𝒳Nguyen 🎉win'],
  ])('%j is said %j', (text, spoken) => {
    expect(pronounce(names, text)).toBe(spoken)
  })

  it.each([
    '<voice name="Nguyen">',
    '[Nguyen softly]',
    '/nguyen/',
    '<verbatim>Nguyen 50</verbatim>',
  ])('leave the markup %j as it is', (markup) => {
    expect(pronounce(names, `Nguyen ${markup} Nguyen`)).toBe(`win ${markup} win`)
  })

  it('are said inside of tags and in links of Markdown', () => {
    expect(pronounce(names, '<b>Nguyen</b> [Nguyen](https://example.org)')).toBe(
      '<b>win</b> [win](https://example.org)',
    )
  })

  it('are not searched in what is said for another word', () => {
    const circular = new Pronunciations([
      { word: 'one', sayAs: 'two' },
      { word: 'two', sayAs: 'one' },
    ])
    expect(pronounce(circular, 'one two')).toBe('two one')
  })

  it('apply to the longest words, and the last entry of several', () => {
    const list = new Pronunciations([
      { word: 'York', sayAs: 'first' },
      { word: 'York', sayAs: 'Yorck' },
      { word: 'York Road', sayAs: 'Y R' },
    ])
    expect(pronounce(list, 'York, York Road, York Roads')).toBe('Yorck, Y R, Yorck Roads')
  })

  it('keep both halves of a character together', () => {
    const pronounced = new PronouncedText(names)
    expect([pronounced.push('Say \ud835'), pronounced.push('\udcb3.')]).toEqual(['Say ', '𝒳.'])
    expect(pronounced.push(' \ud835') + pronounced.end()).toBe(' \ud835')
  })

  it('do not change a text without a list', () => {
    expect(pronounce(new Pronunciations([]), 'A\u030a <b')).toBe('A\u030a <b')
  })

  const parts = fc.constantFrom(
    ...[
      'Nguyen',
      'new',
      ' York',
      'Xiaomi',
      'IT',
      'it',
      "won't",
      "'t",
      '小米',
      '1.',
      '50',
      'e\u0301',
    ],
    ...[
      ' ',
      '  ',
      '\n\n',
      '.',
      '[',
      ']',
      '](',
      '<b>',
      '<',
      '/',
      '<verbatim>',
      '</verbatim>',
      '𝒳',
      'n',
    ],
  )

  it('depend on the text only, not on how it arrives', () => {
    const cut = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 })
    const property = fc.property(fc.array(parts, { maxLength: 20 }), cut, (given, places) => {
      const text = given.join('')
      const ends = [...places, text.length].sort((one, other) => one - other)
      const pronounced = new PronouncedText(names)
      const pieces = ends.map((end, index) =>
        pronounced.push(text.slice(ends[index - 1] ?? 0, end)),
      )
      expect([...pieces, pronounced.end()].join('')).toBe(pronounce(names, text))
    })
    fc.assert(property, { numRuns: propertyRuns(20_000) })
  })

  it('begin with an apostrophe only where the text after it says so, also if that arrives later', () => {
    const pronounced = new PronouncedText(new Pronunciations([{ word: "'t", sayAs: 'it' }]))
    const text = pronounced.push("won't") + pronounced.push('小米') + pronounced.end()
    expect(text).toBe('wonit小米')
    expect(pronounce(new Pronunciations([{ word: "'t", sayAs: 'it' }]), "won't")).toBe("won't")
  })

  it('report each word, and where the letters for it are', () => {
    const property = fc.property(fc.array(parts, { maxLength: 20 }), (given) => {
      const text = given.join('')
      const replaced: { written: string; start: number; end: number }[] = []
      const pronounced = new PronouncedText(names, (word) => replaced.push(word))
      let written = pronounced.push(text) + pronounced.end()
      for (const { start, end, written: word } of replaced.reverse()) {
        written = written.slice(0, start) + word + written.slice(end)
      }
      expect(written).toBe(text)
    })
    fc.assert(property, { numRuns: propertyRuns(20_000) })
  })

  it.each(['Nguyen ', 'n', '[', '<verbatim>', '/', 'New ', ' ', "won'", '[a](', '<a <'])(
    'are found in linear time in a row of %j',
    (part) => {
      const startedAt = performance.now()
      expect(pronounce(names, part.repeat(200_000 / part.length)).length).toBeGreaterThan(0)
      // Normally it takes a fraction of a second; in quadratic time it would take minutes.
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    },
  )

  it('are found as fast in a list of a thousand words that begin the same', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => ({
      word: `${'a '.repeat(60)}${index}`,
      sayAs: 'b',
    }))
    const startedAt = performance.now()
    expect(pronounce(new Pronunciations(entries), 'a '.repeat(20_000))).toBe('a '.repeat(20_000))
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})
