import { speakableText } from '@parlando/core/text'

/**
 * Removes Markdown syntax, which most servers read aloud, and emoji. A number at the start of a line stays: it may be a
 * part of the sentence.
 */
export function removeMarkdown(text: string): string {
  const lines = text.split('\n').map((line) => {
    const [number = ''] = /^\s*\d{1,3}[.)]\s+/.exec(line) ?? []
    return number + speakableText(line.slice(number.length))
  })
  // A phrase may contain only one end of an emphasis.
  return lines
    .join('\n')
    .replace(/\*{2,}|_{2,}|~{2,}|`+/g, '')
    .trim()
}
