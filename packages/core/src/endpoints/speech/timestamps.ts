/** A word or character with its time in the audio, in seconds from the start of the utterance. */
export interface TimedText {
  text: string
  startSeconds: number
  endSeconds: number
}

/** Timed words or timed characters, whichever the request asked for; the other list is empty. */
export interface Timestamps {
  words: TimedText[]
  characters: TimedText[]
}

/**
 * Reads `timestampInfo`: parallel lists of texts, starts and ends. A service may omit any of them.
 * @returns `undefined` if nothing in it has both a start and an end.
 */
export function readTimestamps(info: unknown): Timestamps | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const { wordAlignment, characterAlignment } = info as Record<string, unknown>
  const words = readAlignment(wordAlignment, 'words', 'word')
  const characters = readAlignment(characterAlignment, 'characters', 'character')
  return words.length + characters.length > 0 ? { words, characters } : undefined
}

/** Adds `seconds` to every time. */
export function shiftTimestamps(timestamps: Timestamps, seconds: number): Timestamps {
  if (seconds === 0) return timestamps
  const shift = (timed: TimedText): TimedText => ({
    text: timed.text,
    startSeconds: timed.startSeconds + seconds,
    endSeconds: timed.endSeconds + seconds,
  })
  return { words: timestamps.words.map(shift), characters: timestamps.characters.map(shift) }
}

function readAlignment(alignment: unknown, texts: string, name: string): TimedText[] {
  if (typeof alignment !== 'object' || alignment === null) return []
  const lists = alignment as Record<string, unknown>
  const starts = listOf(lists[`${name}StartTimeSeconds`])
  const ends = listOf(lists[`${name}EndTimeSeconds`])
  return listOf(lists[texts]).flatMap((text, index) => {
    const [startSeconds, endSeconds] = [starts[index], ends[index]]
    const isTimed = typeof startSeconds === 'number' && typeof endSeconds === 'number'
    return typeof text === 'string' && isTimed ? [{ text, startSeconds, endSeconds }] : []
  })
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
