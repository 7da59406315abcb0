import { type CodeFence, closesFence, openFence } from './code-fence.ts'

/**
 * Removes the parts of a text that should not be spoken: Markdown syntax, code blocks, URLs, emoji and superfluous white
 * space. The text inside Markdown syntax stays, and so does the markup of the service: `[laugh]`, `<break time="1s"/>`,
 * `<verbatim>…</verbatim>` and `/…/`.
 * @returns one line per paragraph or list item; empty if nothing remains.
 */
export function speakableText(text: string): string {
  const lines = linesOutsideCode(text).map((line) => speakableLine(line, allPatterns))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/**
 * Removes the syntax of Markdown; all words stay, also URLs and the numbers of list items. A text without such syntax stays
 * unchanged.
 */
export function withoutMarkdown(text: string): string {
  if (!/[*_`~#|[]|^[^\S\n]*[->+]\s/m.test(text)) return text
  const lines = text.split('\n').map((line) => {
    if (line.trim() === '') return line
    // "- 5 °C" is not a list item.
    const [before = ''] = /^\s*(?:\d{1,3}[.)]\s|[-+]\s+(?=[\d.]))?/.exec(line) ?? []
    const content = line.slice(before.length)
    const after = content.slice(content.trimEnd().length)
    return before + speakableLine(content, markdownPatterns) + after
  })
  // A part of a text may contain only one end of an emphasis.
  return lines.join('\n').replace(/\*{2,}|_{2,}|~{2,}|`+/g, '')
}

function linesOutsideCode(text: string): string[] {
  let fence: CodeFence | undefined
  return text.split(/\r\n?|\n/).flatMap((line) => {
    if (fence) {
      if (closesFence(line, fence)) fence = undefined
      return []
    }
    const opened = openFence(line.trimStart(), true)
    fence = opened === 'unknown' ? undefined : opened
    return fence ? [''] : [line]
  })
}

/**
 * Patterns to replace in a line, in this order; the text of a group stays. Each takes linear time: the text between two
 * delimiters cannot contain the opening delimiter, so thousands of unclosed ones do not search the same text again. The
 * limits on repetitions bound the memory of a search.
 */
type Patterns = readonly (readonly [RegExp, string])[]

const blockPatterns: Patterns = [
  // A thematic break, or the line between the header and the rows of a table.
  [/^[ |:*_=-]{3,}$/, ''],
  [/^ ?>+ ?/, ''],
  [/^ ?#{1,6} (.*?)(?: #{1,6})? ?$/, '$1.'],
  [/^ ?(?:[-*+]|\d{1,3}[.)]) (?:\[[ xX]\] )?/, ''],
  [/^ ?\|(.*)\| ?$/, '$1'],
  // Images and links. Addresses may contain parentheses: [tea](https://example.org/tea_(drink))
  [/!\[([^[\]]{0,500})\]\((?:[^()]|\([^()]{0,500}\)){0,2000}\)/g, '$1'],
  [/\[([^[\]]{1,500})\](?:\((?:[^()]|\([^()]{0,500}\)){0,2000}\)|\[[^[\]]{0,500}\])/g, '$1'],
]
const urlPattern = [/<?\b(?:https?:\/\/|www\.)[^\s<>]*[^\s<>.,;:!?'")\]]>?/gi, ''] as const
const emphasisPatterns: Patterns = [
  [/`([^`]{1,1000})`/g, '$1'],
  // Emphasis, the stronger first, because it may contain the weaker.
  [/(\*{2,3})(?=[^\s*])((?:[^*]|\*(?!\*)){0,1000}?\S)\1/g, '$2'],
  [/\*(?=[^\s*])([^*]{0,1000}?[^\s*])\*/g, '$1'],
  [/~~(?=[^\s~])((?:[^~]|~(?!~)){0,1000}?\S)~~/g, '$1'],
  [/(?<![\p{L}\p{N}_])(_{2,3})(?=[^\s_])((?:[^_]|_(?!_)){0,1000}?\S)\1(?![\p{L}\p{N}_])/gu, '$2'],
  [
    /(?<![\p{L}\p{N}_])_(?=[^\s_])((?:[^_]|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])){0,1000}?[^\s_])_(?![\p{L}\p{N}_])/gu,
    '$1',
  ],
]
const emojiPatterns: Patterns = [
  // Not \p{Emoji}: it includes digits, # and *.
  [/[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]+/gu, ' '],
  [/(?:\u{fe0f}|\u{200d}|\u{20e3})+/gu, ''],
]
const markdownPatterns: Patterns = [...blockPatterns, ...emphasisPatterns]
const allPatterns: Patterns = [...blockPatterns, urlPattern, ...emphasisPatterns, ...emojiPatterns]

function speakableLine(line: string, patterns: Patterns): string {
  // Thousands of blank lines would otherwise take seconds.
  if (line.trim() === '') return ''
  let plain = line.replace(/\s+/g, ' ')
  for (const [pattern, replacement] of patterns) plain = plain.replace(pattern, replacement)
  return plain
    .replace(/([.!?:])\.$/, '$1')
    .replace(/ ?\| ?/g, ', ')
    .replace(/\( ?\)/g, '')
    .replace(/ +/g, ' ')
    .replace(/ ([.,;:!?])(?!\d)/g, '$1')
    .trim()
}
