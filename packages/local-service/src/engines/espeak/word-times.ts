import { hasUnspacedScript } from '@parlando/core/text'
import type { SpokenWord } from '../engine.ts'
import type { EspeakEvent } from './open-espeak.ts'

/** Finds the times of the words of one phrase. Words keep their spelling and punctuation. */
export interface WordTimer {
  /** @returns the words that end with these events. */
  push(events: readonly EspeakEvent[]): SpokenWord[]
  end(): SpokenWord[]
}

/** @param text the text that espeak-ng speaks. */
export function createWordTimer(text: string): WordTimer {
  const characters = Array.from(text)
  let open: { start: number; end: number; startSeconds: number } | undefined
  let silentFrom: number | undefined
  let seconds = 0

  const close = (nextStart: number): SpokenWord[] => {
    if (!open) return []
    const { start, end, startSeconds } = open
    const word = characters.slice(start, Math.min(end, nextStart)).join('')
    const endSeconds = silentFrom !== undefined && silentFrom > startSeconds ? silentFrom : seconds
    open = undefined
    return [{ text: word, startSeconds, endSeconds }]
  }

  const read = ({ type, text_position, audio_position, id }: EspeakEvent): SpokenWord[] => {
    seconds = audio_position / 1000
    if (type === 'phoneme') silentFrom = id === '' ? (silentFrom ?? seconds) : undefined
    if (type === 'end') silentFrom ??= seconds
    if (type !== 'word') return []
    const place = placeAt(characters, text_position - 1)
    // A number is spoken as several words.
    if (place.start === open?.start) return []
    const words = close(place.start)
    open = { ...place, startSeconds: seconds }
    silentFrom = undefined
    return words
  }

  return { push: (events) => events.flatMap(read), end: () => close(characters.length) }
}

/** @returns start and end of the word at a position. In a script without spaces the next word limits the end. */
function placeAt(characters: readonly string[], position: number): { start: number; end: number } {
  const isSpace = (at: number) => /^\s?$/u.test(characters[at] ?? '')
  let start = position
  const hasSpaces = !hasUnspacedScript(characters[position] ?? '')
  while (hasSpaces && start > 0 && !isSpace(start - 1)) start -= 1
  let end = position
  while (!isSpace(end)) end += 1
  return { start, end }
}
