import type { Sink } from '../../streams/sink.ts'
import type { ReplacedWord } from '../../text/pronounced-text.ts'
import { isInsideWord, type Pronunciations } from '../../text/pronunciations.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { TimedWord, Timestamps } from './timestamps.ts'
import type { SpeechChunk } from './utterance-audio.ts'

type Kind = keyof Timestamps

/** A service may leave out or spell out some of the text. The next word or character is in this much of it. */
const searchCharacters: Readonly<Record<Kind, number>> = { words: 100, characters: 4 }

/** The place of a timestamp in the spoken text. */
interface Place {
  start: number
  end: number
}

/** A timestamp that begins a word of the request; the next one continues it. */
interface OpenWord {
  kind: Kind
  timed: TimedWord
  /** Where the word ends in the spoken text. */
  end: number
}

/**
 * Gives timestamps the words of the request. A service knows only the text that it speaks, with pronunciations in it: its words
 * "shau" and "mee" become "Xiaomi" again, from the start of the one to the end of the other.
 */
export class WrittenWords {
  /** The spoken text after the latest timestamp, and its place in all of the text. */
  #rest = ''
  #start = 0
  #replaced: (ReplacedWord & { isReported?: boolean })[] = []
  #open: OpenWord | undefined

  readonly addReplaced = (replaced: ReplacedWord): void => {
    this.#replaced.push(replaced)
  }

  /** Takes the spoken text in order. */
  addText(spoken: string): void {
    this.#rest += spoken
  }

  /** @returns the timestamps whose words are complete. */
  restore({ words, characters }: Timestamps): Timestamps {
    return {
      words: words.flatMap((timed) => this.#take('words', timed)),
      characters: characters.flatMap((timed) => this.#take('characters', timed)),
    }
  }

  /** The same for all timestamps of a text. */
  restoreAll(timestamps: Timestamps): Timestamps {
    const { words, characters } = this.restore(timestamps)
    const last = this.end()
    return { words: [...words, ...last.words], characters: [...characters, ...last.characters] }
  }

  /** @returns the timestamp that waits for the end of its word. */
  end(): Timestamps {
    const open = this.#open
    this.#open = undefined
    const last = open ? complete(open) : []
    const isCharacter = open?.kind === 'characters'
    return { words: isCharacter ? [] : last, characters: isCharacter ? last : [] }
  }

  #take(kind: Kind, timed: TimedWord): TimedWord[] {
    const place = this.#find(kind, timed.text)
    const written = place && this.#read(place, timed.text)
    const open = this.#open
    this.#open = undefined
    const isContinuation = open !== undefined && (place === undefined || place.start < open.end)
    const current: OpenWord = isContinuation
      ? { ...open, timed: join(open.timed, { ...timed, text: written?.text ?? '' }) }
      : { kind, timed: { ...timed, text: written?.text ?? timed.text }, end: 0 }
    const finished = open && !isContinuation ? complete(open) : []
    const end = written?.end ?? current.end
    if (end <= (place?.end ?? 0)) return [...finished, ...complete(current)]
    this.#open = { ...current, end }
    return finished
  }

  /** Finds the text of the next timestamp. Text before it has none. */
  #find(kind: Kind, text: string): Place | undefined {
    const near = this.#rest.slice(0, searchCharacters[kind] + text.length)
    for (let at = near.indexOf(text); text && at >= 0; at = near.indexOf(text, at + 1)) {
      const end = at + text.length
      if (kind === 'words' && (isInsideWord(near, at) || isInsideWord(near, end))) continue
      const place = { start: this.#start + at, end: this.#start + end }
      this.#rest = this.#rest.slice(end)
      this.#start += end
      return place
    }
    return undefined
  }

  /** @returns what the request contains in a place, and where its last word ends in the spoken text. */
  #read({ start, end }: Place, spoken: string): { text: string; end: number } {
    let text = ''
    let at = start
    let wordEnd = end
    for (const word of this.#replaced) {
      if (word.start >= end) break
      if (word.end <= start) continue
      text += spoken.slice(at - start, Math.max(at, word.start) - start)
      if (!word.isReported) text += word.written
      word.isReported = true
      at = Math.min(word.end, end)
      wordEnd = word.end
    }
    this.#replaced = this.#replaced.filter((word) => word.end > end)
    return { text: text + spoken.slice(at - start), end: Math.max(end, wordEnd) }
  }
}

/** @returns nothing for a request without timestamps, or without a list. */
export function createWrittenWords(
  { timestampType }: Pick<SpeechRequest, 'timestampType'>,
  list: Pronunciations,
): WrittenWords | undefined {
  const isTimed = timestampType === 'WORD' || timestampType === 'CHARACTER'
  return isTimed && !list.isEmpty ? new WrittenWords() : undefined
}

function join(first: TimedWord, next: TimedWord): TimedWord {
  const phones = [...(first.phones ?? []), ...(next.phones ?? [])]
  return {
    ...first,
    text: first.text + next.text,
    endSeconds: next.endSeconds,
    ...(phones.length > 0 && { phones }),
  }
}

/** The characters of a word share the time of the letters that were spoken for it. */
function complete({ kind, timed }: Pick<OpenWord, 'kind' | 'timed'>): TimedWord[] {
  if (timed.text === '') return []
  const characters = Array.from(timed.text)
  if (kind === 'words' || characters.length === 1) return [timed]
  const { startSeconds, endSeconds } = timed
  const seconds = (endSeconds - startSeconds) / characters.length
  return characters.map((text, index) => ({
    text,
    startSeconds: startSeconds + index * seconds,
    endSeconds: startSeconds + (index + 1) * seconds,
  }))
}

/** @returns a sink whose timestamps are in the spoken text. @param words absent: they are in that of the request. */
export function restoreWords(
  sink: Sink<SpeechChunk>,
  words: WrittenWords | undefined,
): Sink<SpeechChunk> {
  if (!words) return sink
  const send = (audio: Uint8Array, timestamps: Timestamps) => {
    if (timestamps.words.length + timestamps.characters.length > 0) sink.next({ audio, timestamps })
    else if (audio.length > 0) sink.next({ audio })
  }
  return {
    next({ audio, timestamps }) {
      if (timestamps) send(audio, words.restore(timestamps))
      else sink.next({ audio })
    },
    end() {
      send(new Uint8Array(), words.end())
      sink.end()
    },
    error: sink.error,
  }
}
