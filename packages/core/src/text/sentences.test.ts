import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSentenceCutter } from './sentences.ts'

function cut(deltas: string[], maxSentenceCharacters?: number): string[] {
  const cutter = createSentenceCutter({ maxSentenceCharacters })
  return [...deltas.flatMap((delta) => cutter.push(delta)), ...cutter.end()]
}

/** The sentences that each delta releases, then the sentences that the end releases. */
function releases(deltas: string[]): string[][] {
  const cutter = createSentenceCutter()
  return [...deltas.map((delta) => cutter.push(delta)), cutter.end()]
}

const code = '```ts\nconst a = 1. + 2\n\nlog("Hi. There")\n```\n'

/** Each sample lists the sentences of a text. A line break at the end of a sentence is part of the text. */
const samples: [string, string[]][] = [
  ['plain sentences', ['One is here.', 'Two is there!', 'Is three?', 'Four']],
  ['titles', ['Dr. Brown met Mrs. Gray on St. Mary Street.', 'Prof. Green came too.']],
  ['e.g. and i.e.', ['Take fruit, e.g. Apples, i.e. Good ones.', 'Then vs. Now came.']],
  ['German abbreviations', ['Nimm z.B. Äpfel, d.h. Obst.', 'Oder z. B. Birnen bzw. Quitten.']],
  [
    'abbreviations before a number',
    ['See No. 5 and Fig. 7 on p. 3.', 'Is it big?', 'No.', 'It is not.'],
  ],
  [
    'abbreviations that may end it',
    ['He is with Acme Inc. Berlin.', 'She left Acme Inc.', 'The end.'],
  ],
  ['initials', ['J. R. R. Tolkien met C. S. Lewis.', 'George W. Bush did not.']],
  ['countries', ['The U.S. Army left.', 'He is from the U.S.', 'She is not.']],
  ['decimals', ['It is 3.5 km, $4.50 or 1.000,25.', 'That is all.', 'It costs $3.50.', 'Good.']],
  ['times', ['We meet at 7.30 p.m. today.', 'It ends at 9 p.m.', 'Bring bread.']],
  ['German streets', ['In der Hauptstr. 12 brennt Licht.', 'Auch in der Lange Str. 5.']],
  [
    'Italian abbreviations',
    [
      'Il Sig. Rossi abita in via Roma n. 5.',
      'Il treno parte lun. 3 marzo alle 7.',
      'Il taxi arriva.',
    ],
  ],
  ['ordinals', ['Er kommt am 3. Mai und am 21. Juni.', 'Im 19. Jahrhundert war es so.']],
  [
    'ranges',
    [
      'Vom 1. - 3. Mai und vom 24.12. - 2.1. ist zu.',
      'Mo. - Fr. ist offen.',
      'Abre de 3 p. m. - 5 p. m. hoy.',
      'Es lun. - vie.',
      'Ja.',
      '- Nein.',
      'I think so.',
      '- Really?',
      'I said no.',
      '- Sure.',
      'Mo. - Freitag, Jan. - März und So. - 8 Uhr.',
    ],
  ],
  ['a number at the end', ['She is 42.', 'He is 50.', 'It was in 1999.', 'People sang.']],
  ['ellipses', ['Well... maybe.', 'Wait…', 'No.', 'And... I think so...', 'Yes…']],
  [
    'quotes',
    ['He said “Go.”', '“Stop!” she said.', '(It was late.)', '"Why?" he asked.', "'Yes.'"],
  ],
  ['German quotes', ['Er sagte: „Geh.“', 'Dann ging er.', '»Gut.«', 'Das war es.']],
  ['French spacing', ['Vraiment ?', 'Oui !', '«\u00a0Bien.\u00a0»', 'Merci.']],
  ['several marks', ['What?!', 'No way!!!', 'Really?..', 'Yes.']],
  ['emphasis', ['**This is it.**', '*Yes!*', '_No._', 'Use **bold. words** here.']],
  ['emoji', ['Great! 😀👍🏽', 'Nice.🎉', 'See 🇩🇪. ✨', 'Bye']],
  [
    'URLs and addresses',
    ['See https://a.example/b.c?d=e.f!g and mail me@b.example now.', 'Is a.b.c up?'],
  ],
  [
    'file names',
    ['Open notes.txt or src/main.ts.', 'Then run node.js.', 'Edit /etc/hosts.', 'Done.'],
  ],
  [
    'markup',
    ['Say [calmly. Then loudly. Now] this.', 'Wait <break time="1.5s"/> a bit.', '[laugh] Ha.'],
  ],
  ['markup over two lines', ['Say [calmly. Then\nloudly. Now] this.', 'And that.']],
  ['brackets in brackets', ['Say [this [calmly. Now] then.', 'Go.']],
  ['verbatim', ['Spell <verbatim>A. B. Then C.</verbatim> out.', 'If a < b.', 'Then c.']],
  ['pronunciation', ['Say /təˈmeɪ. toʊ/ twice.', 'And/or not.', 'It is 1/2.', 'Now.']],
  ['unclosed brackets', ['A [ stands here.\n\n', 'It is open.', 'The end.']],
  [
    'an ordered list',
    ['Do this:\n', '1. Cut the bread.\n', '2. Eat it. \n', '10) Sleep\n', 'Good.'],
  ],
  [
    'an unordered list',
    ['Buy:\n', '- bread, e.g. rye\n', '- Two eggs\n', '* milk.\n\n', 'That is all.'],
  ],
  ['an inline list', ['Steps: 1. Cut.', '2. Eat.', '3. Sleep well.']],
  ['headings', ['# The Title\n', 'Some text.\n\n', '## 1. Next\n\n', 'More']],
  ['paragraphs', ['No full stop here\n\n', 'Next one\r\n\r\n', 'last']],
  [
    'wrapped lines',
    ['This line\ngoes on here\nand ends.\n', 'The next\n', '- has an item\n', '> a quote\n', 'x'],
  ],
  ['a rule', ['Before it.\n', '---\n\nAfter it.', 'Then']],
  [
    'Chinese',
    ['你好。', '今天天气很好！', '“去吗？”', '他说（真的。）', '3.5元。', '好……吧。', 'Hi!', '好'],
  ],
  ['Japanese', ['「行こう。」と彼は言った。', 'はい。', '「いいえ。」', '終わり']],
  ['Hindi and Arabic', ['यह एक है।', 'यह दो है।', 'هل أنت هنا؟', 'نعم.', 'شكرا']],
  ['lower case', ['hello there!', 'how are you?', 'fine. and you']],
]

describe('createSentenceCutter', () => {
  it.each(samples)('cuts %s in the same places for every split into deltas', (_name, pieces) => {
    const sentences = pieces.map((piece) => piece.trim()).filter(Boolean)
    const text = pieces.reduce((whole, piece) => {
      const isJoined = whole === '' || /\s$/.test(whole) || /[\p{sc=Han}\p{sc=Hira}]/u.test(whole)
      return whole + (isJoined ? '' : ' ') + piece
    }, '')
    expect(cut([text])).toEqual(sentences)
    expect(cut([...text])).toEqual(sentences)
    expect(cut(text.split(''))).toEqual(sentences)
    for (let end = 1; end < text.length; end++) {
      expect(cut([text.slice(0, end), text.slice(end)])).toEqual(sentences)
    }
  })

  it('skips code blocks, even indented or unclosed ones, with tildes, or with fences inside', () => {
    const text = [
      `Look:\n${code}Then this.\n`,
      '  ~~~\na. B\n```\n  ~~~~\nAnd that.\n\n',
      `\`\`\`\`md\n${code}\`\`\`\`\n\`\`\`a\`\`\`\n`,
      'Inline ```code``` stays. Done.\n```\nnever closed. Not\n',
    ].join('')
    const sentences = ['Look:', 'Then this.', 'And that.', '```a```', 'Inline ```code``` stays.']
    sentences.push('Done.')
    expect(cut([text])).toEqual(sentences)
    for (let end = 1; end < text.length; end++) {
      expect(cut([text.slice(0, end), text.slice(end)])).toEqual(sentences)
    }
  })

  it('releases a sentence with the first letter of the next one', () => {
    expect(releases(['It', ' is', ' late', '.', ' Go', ' home', '.', ''])).toEqual([
      [],
      [],
      [],
      [],
      ['It is late.'],
      [],
      [],
      [],
      ['Go home.'],
    ])
  })

  it.each([
    ['a line break after a full stop', ['Done.', '\n'], 1],
    ['the line break of a list item', ['- bread', '\n'], 1],
    ['the line break of a heading', ['# Bread', '\n'], 1],
    ['the line break after a colon', ['Buy this:', '\n'], 1],
    ['the second line break of a paragraph', ['Bread', '\n', '\n'], 2],
    ['the start of a list item after a line', ['Bread', '\n', '-', ' '], 3],
    ['the next character in Chinese', ['你好。', '今'], 1],
    ['a digit', ['It is over.', ' ', '5'], 2],
    ['an opening bracket', ['It is over.', ' ', '[laugh'], 2],
    ['the word after an opening quote', ['It is over.', ' ', '“', 'N'], 3],
    ['any letter after a question without a quote', ['What?', ' ', 'n'], 2],
    ['the end of the word after a small number', ['She is 42.', ' The', ' '], 2],
    ['the end of the word after an abbreviation', ['He has it etc.', ' Then', ','], 2],
    ['a capital after the hour', ['At 9 p.m.', ' T'], 1],
  ])('releases a sentence no earlier than with %s', (_name, deltas, releasedBy) => {
    const released = releases(deltas).findIndex((sentences) => sentences.length > 0)
    expect(released).toBe(releasedBy)
  })

  it('keeps every sentence within the limit and cuts after a clause, else after a word', () => {
    const text = `${'word '.repeat(12)}and so, ${'more '.repeat(12)}end.`
    const pieces = cut([text], 80)
    expect(pieces.map((piece) => piece.length <= 80)).not.toContain(false)
    expect(pieces[0]).toMatch(/and so,$/)
    expect(pieces.join(' ')).toBe(text.replace(/\s+/g, ' '))
    expect(cut([...text], 80)).toEqual(pieces)
  })

  it('never cuts inside markup, a word or a grapheme at the limit', () => {
    const direction = '[speak in a very slow and calm voice]'
    const text = `${'so '.repeat(9)}${direction} ${'你好吗'.repeat(15)}${'👍🏽'.repeat(20)}`
    const pieces = cut([text], 50)
    expect(cut(text.split(''), 50)).toEqual(pieces)
    expect(pieces.some((piece) => piece.includes(direction))).toBe(true)
    expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const charactersOf = (part: string) =>
      [...segmenter.segment(part)].map(({ segment }) => segment)
    const whole = new Set(charactersOf(text))
    for (const piece of pieces) {
      expect(
        charactersOf(piece).filter((character) => !whole.has(character)),
        piece,
      ).toEqual([])
    }
  })

  it('holds back no more than the limit when no sentence ends', () => {
    for (const endless of ['x', '[', '<a', '/a', '`', '1', '.', '"', 'a. b ', '- ', '你', '😀']) {
      const cutter = createSentenceCutter({ maxSentenceCharacters: 100 })
      const given = endless.repeat(1000)
      const sentences: string[] = []
      for (const delta of given.match(/.{1,7}/gsu) ?? []) sentences.push(...cutter.push(delta))
      const rest = cutter.end().join('')
      expect(rest.length).toBeLessThanOrEqual(100)
      expect((sentences.join('') + rest).replace(/\s/g, '')).toBe(given.replace(/\s/g, ''))
    }
  })

  it('skips an endless line of code without buffering it', () => {
    const cutter = createSentenceCutter({ maxSentenceCharacters: 100 })
    expect(cutter.push('```\n')).toEqual([])
    for (let index = 0; index < 1000; index++) expect(cutter.push('x'.repeat(50))).toEqual([])
    expect(cutter.push('```\n```\nAfter it.\n')).toEqual(['After it.'])
  })

  it('starts a new text after the end', () => {
    const cutter = createSentenceCutter()
    cutter.push('- one\n```\ncode')
    expect(cutter.end()).toEqual([])
    expect([...cutter.push('Two.'), ...cutter.end()]).toEqual(['Two.'])
  })

  it('returns the same sentences of random texts for every split, and loses no text', () => {
    const parts =
      '. |.|! |? |… |\n|\n\n| - |1. |- |# |"|”|(|)|[|]|<b>|<|/|Dr|p.m|No|I|The|and|Cat|42|3.5|你|。|😀|**|:|,'
    const part = fc.constantFrom(...parts.split('|'), ' ', ' ')
    fc.assert(
      fc.property(fc.array(part, { minLength: 30, maxLength: 30 }), fc.nat(), (list, place) => {
        const text = list.join('')
        const middle = place % text.length
        const sentences = cut([text], 60)
        expect(cut(text.split(''), 60)).toEqual(sentences)
        expect(cut([text.slice(0, middle), text.slice(middle)], 60)).toEqual(sentences)
        expect(sentences.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
      { numRuns: propertyRuns(1500) },
    )
  })
})

it.each(['a', 'a ', '. "', ' /a', '<a ', '[', 'a\n', '中'])(
  'the sentence cutter takes linear time for one delta that is a long row of %j',
  (part) => {
    const characters = 200_000
    const cutter = createSentenceCutter()
    const before = process.cpuUsage()
    cutter.push(part.repeat(characters / part.length))
    const { user, system } = process.cpuUsage(before)
    // Usually less than 100 ms. Quadratic work would take many seconds.
    expect((user + system) / 1000).toBeLessThan(2000)
  },
)
