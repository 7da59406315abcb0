import { type CodeFence, closesFence, openFence } from './code-fence.ts'

/**
 * Takes out of a text what nobody wants to hear: the signs of Markdown, blocks of code, addresses of pages, pictures and
 * emoji, and spare white space. What the signs stand around stays, and so does the service's own markup: `[laugh]`,
 * `<break time="1s"/>`, `<verbatim>…</verbatim>` and `/…/`.
 * @returns one line for each paragraph or item; empty when nothing is left.
 */
export function speakableText(text: string): string {
  const lines = linesOutsideCode(text).map(speakableLine)
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
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
 * Each is taken out of a line in this order; what a group holds stays. What signs stand around is limited in length,
 * because otherwise the closing sign of each of thousands would be looked for to the end of the line.
 */
const signs: readonly (readonly [RegExp, string])[] = [
  // A rule, and the line between a table's head and its rows.
  [/^[ |:*_=-]{3,}$/, ''],
  [/^ ?>+ ?/, ''],
  [/^ ?#{1,6} (.*?)(?: #{1,6})? ?$/, '$1.'],
  [/^ ?(?:[-*+]|\d{1,3}[.)]) (?:\[[ xX]\] )?/, ''],
  [/^ ?\|(.*)\| ?$/, '$1'],
  [/!\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1'],
  [/\[([^\]]{1,500})\](?:\([^)]{0,2000}\)|\[[^\]]{0,500}\])/g, '$1'],
  [/<?\b(?:https?:\/\/|www\.)[^\s<>]*[^\s<>.,;:!?'")\]]>?/gi, ''],
  [/`([^`]{1,1000})`/g, '$1'],
  [/(\*{1,3}|~~)(?=\S)(.{0,1000}?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)(.{0,1000}?\S)\1(?![\p{L}\p{N}_])/gu, '$2'],
  // Pictures made of several signs, flags and keys; plain digits, # and * are emoji too by name.
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/gu, ' '],
  [/\u{fe0f}|\u{200d}|\u{20e3}/gu, ''],
]

function speakableLine(line: string): string {
  let plain = line.replace(/\s+/g, ' ')
  for (const [sign, kept] of signs) plain = plain.replace(sign, kept)
  return plain
    .replace(/([.!?:])\.$/, '$1')
    .replace(/ ?\| ?/g, ', ')
    .replace(/\( ?\)/g, '')
    .replace(/ +/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim()
}
