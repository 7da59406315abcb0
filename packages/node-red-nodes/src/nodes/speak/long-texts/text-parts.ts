import { setImmediate } from 'node:timers/promises'
import { hasSpeakable, piecesOfLongText } from '@parlando/core/text'

/** A part of a long text, which the service speaks as one job. */
export interface TextPart {
  text: string
  /** The title of the chapter that begins with this part. Absent if none does. */
  title?: string
}

/** A fifth of what a job may have. The sound of a part is in memory as a whole: half an hour, or 130 MB of WAV at 48 kHz. */
const maxPartCharacters = 20_000
const headingLine = /^ {0,3}#{1,6}[ \t]+(\S.*)$/
/** A single heading is the title of the text. */
const minChapters = 2

export function charactersOf(parts: readonly TextPart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0)
}

/**
 * Cuts a long text into its chapters, which begin with headings of Markdown, and chapters that are too long where a speaker
 * pauses. A book takes a third of a second, so Node-RED does other work in between.
 * @param toSpoken makes the text of a part from what is written. @param signal ends the work. @throws its reason.
 */
export async function cutIntoParts(
  text: string,
  signal: AbortSignal,
  toSpoken = (written: string) => written,
): Promise<TextPart[]> {
  const parts: TextPart[] = []
  for (const chapter of cutIntoChapters(text)) {
    let { title } = chapter
    for (const piece of piecesOfLongText(chapter.text, maxPartCharacters)) {
      parts.push({ ...(title !== undefined && { title }), text: toSpoken(piece) })
      title = undefined
      await setImmediate()
      signal.throwIfAborted()
    }
  }
  return parts
}

function cutIntoChapters(text: string): TextPart[] {
  const chapters: { title?: string; lines: string[] }[] = [{ lines: [] }]
  for (const line of text.split(/\r\n?|\n/)) {
    const [, heading] = headingLine.exec(line) ?? []
    if (heading === undefined) {
      chapters.at(-1)!.lines.push(line)
      continue
    }
    const title = withoutClosingMarks(heading)
    chapters.push({ title, lines: [endsSentence(title) ? title : `${title}.`, ''] })
  }
  const titled = chapters.filter(({ title }) => title !== undefined)
  if (titled.length < minChapters) return [{ text }]
  return chapters
    .map(({ title, lines }) => ({ ...(title !== undefined && { title }), text: lines.join('\n') }))
    .filter(({ text }) => hasSpeakable(text))
}

/** `## Title ##` is a heading, too. */
function withoutClosingMarks(heading: string): string {
  const trimmed = heading.trim()
  const end = trimmed.lastIndexOf(' ')
  const last = trimmed.slice(end + 1)
  return end > 0 && [...last].every((character) => character === '#')
    ? trimmed.slice(0, end).trim()
    : trimmed
}

function endsSentence(title: string): boolean {
  return /[.!?…。！？:]$/.test(title)
}
