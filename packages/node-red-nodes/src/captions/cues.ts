import { hasSpeakable, hasUnspacedScript } from '@parlando/core/text'

/** A word, or a punctuation mark or a space of its own, with its time in seconds. */
export interface CaptionWord {
  text: string
  startSeconds: number
  endSeconds: number
}

/** What is shown at a time. */
export interface Cue {
  startSeconds: number
  endSeconds: number
  /** One or two. */
  lines: string[]
}

/** Subtitles on television have two lines of 42 characters, for at most 7 seconds. A Chinese character is as wide as two others. */
const maxLineWidth = 42
const maxWidth = 2 * maxLineWidth
const maxSeconds = 7
/** A sentence that is shorter is shown together with the next one. */
const minSeconds = 1
/** A pause of this length begins a new cue. */
const pauseSeconds = 0.5

const sentenceEnd = /[.!?…。！？]["'”’»」』)\]]*$/

/** Cuts words into cues: at the ends of sentences, at pauses, and where two lines or seven seconds are full. */
export function cutIntoCues(words: readonly CaptionWord[]): Cue[] {
  // Services that send spaces send all of them.
  const hasSpaces = words.some(({ text }) => text !== '' && text.trim() === '')
  const cues: CaptionWord[][] = []
  for (const word of words) {
    const cue = cues.at(-1)
    if (cue && (!hasSpeakable(word.text) || isNext(cue, word, hasSpaces))) cue.push(word)
    else if (hasSpeakable(word.text)) cues.push([word])
  }
  return cues.map((cue) => ({
    startSeconds: cue[0]!.startSeconds,
    endSeconds: cue.findLast(({ text }) => hasSpeakable(text))!.endSeconds,
    lines: breakLine(join(cue, hasSpaces)),
  }))
}

/** Whether a word belongs to a cue, of which it is the next word. */
function isNext(cue: readonly CaptionWord[], word: CaptionWord, hasSpaces: boolean): boolean {
  const [first] = cue
  const last = cue.findLast(({ text }) => hasSpeakable(text))!
  const isSentence = sentenceEnd.test(join(cue, hasSpaces))
  return (
    word.startSeconds - last.endSeconds < pauseSeconds &&
    word.endSeconds - first!.startSeconds <= maxSeconds &&
    widthOf(join([...cue, word], hasSpaces)) <= maxWidth &&
    !(isSentence && last.endSeconds - first!.startSeconds >= minSeconds)
  )
}

function join(words: readonly CaptionWord[], hasSpaces: boolean): string {
  let joined = ''
  for (const { text } of words) joined += (hasSpaces ? '' : spaceBetween(joined, text)) + text
  return joined.replace(/\s+/g, ' ').trim()
}

function spaceBetween(before: string, text: string): string {
  const isMark = !hasSpeakable(text) && /^[\p{Pe}\p{Pf}\p{Po}]/u.test(text)
  const isUnspaced = hasUnspacedScript(before.slice(-1)) && hasUnspacedScript(text.slice(0, 1))
  return before === '' || isMark || isUnspaced ? '' : ' '
}

/** Breaks a text that is too wide for one line, as near to its middle as the words allow. */
function breakLine(text: string): string[] {
  if (widthOf(text) <= maxLineWidth) return [text]
  const middle = text.length / 2
  if (hasUnspacedScript(text)) {
    const place = Math.ceil(middle)
    return [text.slice(0, place), text.slice(place)]
  }
  const before = text.lastIndexOf(' ', middle)
  const after = text.indexOf(' ', middle)
  const isBefore = after < 0 || (before >= 0 && middle - before <= after - middle)
  const place = isBefore ? before : after
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)]
}

function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += hasUnspacedScript(character) ? 2 : 1
  return width
}

/** `00:01:02.345` */
export function formatTime(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000))
  const hours = Math.floor(milliseconds / 3_600_000)
  const rest = new Date(milliseconds % 3_600_000).toISOString().slice(14, 23)
  return `${String(hours).padStart(2, '0')}:${rest}`
}
