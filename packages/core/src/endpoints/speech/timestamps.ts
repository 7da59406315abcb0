import { readNumber } from '../../wire/decode.ts'

/** A word or character with its time in the audio, in seconds from the start of the utterance. */
export interface TimedText {
  text: string
  startSeconds: number
  endSeconds: number
}

/** A word with its time and, if the service sends them, its sounds. */
export interface TimedWord extends TimedText {
  /** In order, for example for lip-sync. */
  phones?: TimedPhone[]
}

/** One sound of a word, with its time in seconds from the start of the utterance. */
export interface TimedPhone {
  /** IPA, such as `ʃ`. Some models add a stress digit or mark, or send `[silence]`. */
  symbol: string
  /** The shape of the mouth: `aei`, `o`, `ee`, `bmp`, `fv`, `l`, `r`, `th`, `qw`, `chjsh` or `cdgknstxyz`. */
  viseme?: string
  startSeconds: number
  endSeconds: number
}

/** Timed words or timed characters, whichever the request asked for; the other list is empty. */
export interface Timestamps {
  words: TimedWord[]
  characters: TimedText[]
}

// An object with its two numbers and its text.
const timedTextBytes = 128

/**
 * Reads `timestampInfo`: parallel lists of texts, starts and ends. A service may omit any of them.
 * @returns `undefined` if nothing in it has both a start and an end.
 */
export function readTimestamps(info: unknown): Timestamps | undefined {
  // Most lines of a stream have no timestamps; looking for words in them would allocate more than a kilobyte per line.
  if (info === undefined) return undefined
  const { wordAlignment, characterAlignment } = membersOf(info)
  const words = readWords(membersOf(wordAlignment))
  const characters = readAlignment(membersOf(characterAlignment), 'characters', 'character').map(
    ({ timed }) => timed,
  )
  return words.length + characters.length > 0 ? { words, characters } : undefined
}

/** Adds `seconds` to every time. */
export function shiftTimestamps(timestamps: Timestamps, seconds: number): Timestamps {
  if (seconds === 0) return timestamps
  const shift = <Timed extends { startSeconds: number; endSeconds: number }>(
    timed: Timed,
  ): Timed => ({
    ...timed,
    startSeconds: timed.startSeconds + seconds,
    endSeconds: timed.endSeconds + seconds,
  })
  const shiftWord = (word: TimedWord): TimedWord =>
    word.phones ? { ...shift(word), phones: word.phones.map(shift) } : shift(word)
  return { words: timestamps.words.map(shiftWord), characters: timestamps.characters.map(shift) }
}

/** The memory that timestamps take, about. */
export function timestampsSizeBytes({ words, characters }: Timestamps): number {
  let sizeBytes = (words.length + characters.length) * timedTextBytes
  for (const { text } of characters) sizeBytes += text.length
  for (const { text, phones = [] } of words) {
    sizeBytes += text.length + phones.length * timedTextBytes
    for (const { symbol, viseme = '' } of phones) sizeBytes += symbol.length + viseme.length
  }
  return sizeBytes
}

function readWords(alignment: Members): TimedWord[] {
  const phonesOfWords = new Map<unknown, TimedPhone[]>()
  for (const detail of listOf(alignment['phoneticDetails'])) {
    const { wordIndex, phones } = membersOf(detail)
    phonesOfWords.set(readNumber(wordIndex), listOf(phones).flatMap(readPhone))
  }
  return readAlignment(alignment, 'words', 'word').map(({ index, timed }) => {
    const phones = phonesOfWords.get(index) ?? []
    return phones.length > 0 ? { ...timed, phones } : timed
  })
}

function readPhone(phone: unknown): TimedPhone[] {
  const { phoneSymbol, visemeSymbol, startTimeSeconds, durationSeconds } = membersOf(phone)
  if (typeof phoneSymbol !== 'string') return []
  if (typeof startTimeSeconds !== 'number' || typeof durationSeconds !== 'number') return []
  return [
    {
      symbol: phoneSymbol,
      ...(typeof visemeSymbol === 'string' && { viseme: visemeSymbol }),
      startSeconds: startTimeSeconds,
      endSeconds: startTimeSeconds + durationSeconds,
    },
  ]
}

/** @returns the texts that have both a start and an end, with their place in the list. */
function readAlignment(
  alignment: Members,
  texts: string,
  name: string,
): { index: number; timed: TimedText }[] {
  const starts = listOf(alignment[`${name}StartTimeSeconds`])
  const ends = listOf(alignment[`${name}EndTimeSeconds`])
  return listOf(alignment[texts]).flatMap((text, index) => {
    const [startSeconds, endSeconds] = [starts[index], ends[index]]
    const isTimed = typeof startSeconds === 'number' && typeof endSeconds === 'number'
    return typeof text === 'string' && isTimed
      ? [{ index, timed: { text, startSeconds, endSeconds } }]
      : []
  })
}

type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
