import { hasUnspacedScript } from '@parlando/core/text'
import type { SpelledWord } from '../../text/spell-out/word.ts'
import type { SpokenWord } from '../engine.ts'
import type { EspeakEvent } from './open-espeak.ts'

/** Finds the times of the words of one phrase. Words keep their spelling and punctuation. */
export interface WordTimer {
  /** @returns the words that end with these events. */
  push(events: readonly EspeakEvent[]): SpokenWord[]
  end(): SpokenWord[]
}

/**
 * @param text the text that espeak-ng speaks.
 * @param spelled the words of a text that was spelled out; their times then belong to them as written.
 */
export function createWordTimer(text: string, spelled?: readonly SpelledWord[]): WordTimer {
  const characters = Array.from(text)
  const places = spelled && placesOf(spelled)
  let open: (Place & { startSeconds: number }) | undefined
  let silentFrom: number | undefined
  let seconds = 0

  const close = (nextStart: number): SpokenWord[] => {
    if (!open) return []
    const { start, end, startSeconds, written } = open
    const word = written ?? characters.slice(start, Math.min(end, nextStart)).join('')
    const endSeconds = silentFrom !== undefined && silentFrom > startSeconds ? silentFrom : seconds
    open = undefined
    // A long word without its written form began in an earlier phrase.
    return word === '' ? [] : [{ text: word, startSeconds, endSeconds }]
  }

  const read = ({ type, text_position, audio_position, id }: EspeakEvent): SpokenWord[] => {
    seconds = audio_position / 1000
    if (type === 'phoneme') silentFrom = id === '' ? (silentFrom ?? seconds) : undefined
    if (type === 'end') silentFrom ??= seconds
    if (type !== 'word') return []
    const at = text_position - 1
    const place = places?.findLast(({ start }) => start <= at) ?? placeAt(characters, at)
    // A number is spoken as several words.
    if (place.start === open?.start) return []
    const words = close(place.start)
    open = { ...place, startSeconds: seconds }
    silentFrom = undefined
    return words
  }

  return { push: (events) => events.flatMap(read), end: () => close(characters.length) }
}

interface Place {
  /** The place of its first character. */
  start: number
  end: number
  /** The word as written, if it was spelled out. */
  written?: string
}

/** @returns where each spoken word is in the text, whose words are separated by one space. */
function placesOf(spelled: readonly SpelledWord[]): Place[] {
  let start = 0
  return spelled.flatMap(({ written, spoken }) => {
    if (spoken === '') return []
    const end = start + Array.from(spoken).length
    const place = { start, end, written }
    start = end + 1
    return [place]
  })
}

/** @returns start and end of the word at a position. In a script without spaces the next word limits the end. */
function placeAt(characters: readonly string[], position: number): Place {
  const isSpace = (at: number) => /^\s?$/u.test(characters[at] ?? '')
  let start = position
  const hasSpaces = !hasUnspacedScript(characters[position] ?? '')
  while (hasSpaces && start > 0 && !isSpace(start - 1)) start -= 1
  let end = position
  while (!isSpace(end)) end += 1
  return { start, end }
}
