import { describe, expect, it } from 'vitest'
import { speakableText, withoutMarkdown } from './plain-speech.ts'

describe('speakableText', () => {
  it.each([
    [
      'emphasis',
      'This is **very** *nice*, __really__ _so_ and ~~not~~ ***all***',
      'This is very nice, really so and not all',
    ],
    [
      'emphasis in emphasis',
      '**a *b* c** and *d **e** f* and **g *h***',
      'a b c and d e f and g h',
    ],
    [
      'emphasis with stars and underscores',
      '**2*3 = 6** and _snake_case_',
      '2*3 = 6 and snake_case',
    ],
    ['a heading', '# The weather #\nIt rains.', 'The weather.\nIt rains.'],
    ['a heading that ends in a number sign', '## Learn C#', 'Learn C#.'],
    ['a heading that asks', '## Ready?', 'Ready?'],
    ['a list', '- milk\n* bread\n1. eggs\n2) tea\n- [x] salt', 'milk\nbread\neggs\ntea\nsalt'],
    ['a quote', '> So it is.', 'So it is.'],
    [
      'a link',
      'See [the manual](https://example.org/a_b) or [here][1].',
      'See the manual or here.',
    ],
    ['an address with parentheses', 'See [tea](https://x.org/tea_(drink)).', 'See tea.'],
    ['an image', 'Look: ![a red cat](cat.png)', 'Look: a red cat'],
    ['a URL', 'Open https://example.org/a?b=c, or <http://x.org>.', 'Open, or.'],
    ['inline code', 'Call `say_it` now', 'Call say_it now'],
    ['a code block', 'Before\n  ```js\nlet a = 1\n```\nAfter', 'Before\n\nAfter'],
    ['an unclosed code block', 'Before\n~~~\nlet a = 1', 'Before'],
    ['a rule', 'One\n\n---\n\nTwo', 'One\n\nTwo'],
    ['a table', '| Room | Light |\n|---|:---:|\n| Hall | on |', 'Room, Light\n\nHall, on'],
    ['emoji', 'Done 🎉👍🏽 and 👩‍👩‍👧 in 🇩🇪 1️⃣ ☎️', 'Done and in 1'],
    ['white space', '  a \t b  \n\n\n\n c ', 'a b\n\nc'],
  ])('removes the syntax of %s', (_what, text, spoken) => {
    expect(speakableText(text)).toBe(spoken)
  })

  it.each([
    'It is 5 * 3 * 2, and snake_case_name stays.',
    'Item #3 costs $4.50; call *21# for more.',
    '[laugh] That is funny. <break time="1s"/> /ˈhɛ.loʊ/ and/or 1/2',
    '<verbatim>24/7</verbatim>',
    'Price - low; 21.5 °C ± 1',
    'It is .5 °C warmer',
    '明日は雨です。',
  ])('leaves %j unchanged', (text) => {
    expect(speakableText(text)).toBe(text)
  })

  it('returns an empty text if nothing remains to be spoken', () => {
    expect(speakableText('🎉\n---\n```\ncode\n```')).toBe('')
  })

  it('gives the same result when applied twice', () => {
    const text = '# A **b**\n- [c](d) 🎉\n> `e`'
    expect(speakableText(speakableText(text))).toBe(speakableText(text))
  })
})

describe('withoutMarkdown', () => {
  it.each([
    ['emphasis', 'This is **very** *nice* and `plain`', 'This is very nice and plain'],
    ['a heading', '## Today\nIt rains.', 'Today.\nIt rains.'],
    ['a link', 'See [the manual](https://example.org).', 'See the manual.'],
    ['a list', '- milk\n* bread', 'milk\nbread'],
    ['one end of an emphasis', 'The end** of it', 'The end of it'],
  ])('removes the syntax of %s', (_what, text, spoken) => {
    expect(withoutMarkdown(text)).toBe(spoken)
  })

  it.each([
    '- 5 °C outside',
    '1. eggs\n2) tea',
    'See https://example.org/a_b, and 5 * 3',
    'Done 🎉\n\nReally',
    'An item #3 [1] ',
  ])('leaves %j unchanged', (text) => {
    expect(withoutMarkdown(text)).toBe(text)
  })
})
