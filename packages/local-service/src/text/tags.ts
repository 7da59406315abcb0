import { setOf } from './spell-out/word.ts'

/** A tag of HTML or SSML, and then its slash, its name and its attributes. `a < b` and `<3` are none. */
const tag = /<(\/?[A-Za-z][^<>]*)>/g
const tagParts = /^(\/?)([\w:.-]+)([\s\S]*)$/
const comment = /<[!?][^<>]*>/g

/** Tags inside of a sentence. */
const inline = setOf(`
  a abbr acronym b bdi big cite code del dfn em emphasis font i img ins kbd lang mark phoneme prosody q s say-as samp
  small span strong sub sup t time token tt u var voice w wbr
`)
/** Tags that end a sentence. */
const blocks = setOf(`
  address article aside audio blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head
  header hr html li main nav ol option p para paragraph pre section speak table tbody td th thead title tr ul
`)

const entities: Readonly<Record<string, string>> = {
  // Signs.
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  deg: '°',
  euro: '€',
  pound: '£',
  micro: 'µ',
  // Punctuation.
  hellip: '…',
  ndash: '–',
  mdash: '—',
  // Letters.
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
}
const maxCodePoint = 0x10ffff

/**
 * Removes the tags of HTML and SSML from a text, and decodes the entities of HTML. The text inside of the tags stays. Other
 * words in angle brackets stay without the brackets: "press <Enter>".
 */
export function removeTags(text: string): string {
  if (!/[<&]/.test(text)) return text
  const closed = new Set(
    Array.from(text.matchAll(/<\/([A-Za-z][\w:.-]*)/g), ([, name = '']) => name),
  )
  return text
    .replace(comment, ' ')
    .replace(tag, (all, content: string) => {
      const [, slash, name = '', attributes = ''] = tagParts.exec(content) ?? []
      const key = name.toLowerCase()
      if (blocks.has(key)) return '\n\n'
      if (inline.has(key)) return ''
      const isTag =
        slash !== '' || /[=/]/.test(attributes) || closed.has(name) || name.includes(':')
      if (isTag) return ' '
      return attributes === '' ? ` ${name} ` : all
    })
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, name: string) => decode(name) ?? all)
}

function decode(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name]
  const isHex = /^#x/i.test(name)
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  return code > 0 && code <= maxCodePoint ? String.fromCodePoint(code) : undefined
}
