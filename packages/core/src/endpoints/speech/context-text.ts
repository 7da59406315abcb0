import { InputError } from '../../errors.ts'
import type { Socket } from '../../http/socket.ts'
import { firstCharacters } from '../../text/first-characters.ts'
import { PronouncedText } from '../../text/pronounced-text.ts'
import type { Pronunciations } from '../../text/pronunciations.ts'
import { hasSpeakable } from '../../text/words.ts'
import {
  type SpeechContextSettings,
  speechSocketLimits,
} from '../../wire/speech-socket-messages.ts'
import type { WrittenWords } from './written-words.ts'

const maxWaitingCharacters = 1_000_000

export interface ContextTextOptions {
  contextId: string
  /** Named by errors. */
  what: string
  settings: SpeechContextSettings
  pronunciations: Pronunciations
  /** Present if the timestamps of the context are in the spoken text. */
  words: WrittenWords | undefined
}

/** The text of a context on its way to the service. It waits until the connection is open. */
export class ContextText {
  readonly #contextId: string
  readonly #what: string
  readonly #pronounced: PronouncedText
  readonly #words: WrittenWords | undefined
  /** Each text is spoken on its own. */
  readonly #isSegmented: boolean
  #socket: Socket | undefined
  #waiting: object[]
  #waitingCharacters = 0
  #hasText = false
  #isEnded = false

  constructor({ contextId, what, settings, pronunciations, words }: ContextTextOptions) {
    this.#contextId = contextId
    this.#what = what
    this.#pronounced = new PronouncedText(pronunciations, words?.addReplaced)
    this.#words = words
    this.#isSegmented =
      settings.autoMode === true && settings.autoModeStrategy !== 'SENTENCE_BOUNDARY'
    this.#waiting = [{ create: settings }]
  }

  /** Whether some of it can be spoken. */
  get hasText(): boolean {
    return this.#hasText
  }

  /** Whether `end` was called. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /**
   * Sends text in pieces, since a message has a limit. The end of a text may wait for the rest of a word.
   * @throws {InputError} when a million characters are waiting.
   */
  write(text: string): void {
    const characters = this.#waitingCharacters + (this.#socket?.waitingBytes ?? 0) + text.length
    if (characters > maxWaitingCharacters) {
      const message = `${this.#what} failed: more than ${maxWaitingCharacters} characters would wait to be sent; write them later`
      throw new InputError(message)
    }
    this.#hasText ||= hasSpeakable(text)
    this.#sendText(this.#pronounced.push(text))
    if (this.#isSegmented) this.#sendText(this.#pronounced.end())
  }

  flush(): void {
    this.#sendText(this.#pronounced.end())
    this.#send({ flush_context: {} })
  }

  /** Ends the text: the service speaks the rest. */
  end(): void {
    this.#isEnded = true
    this.#sendText(this.#pronounced.end())
    this.leave()
  }

  /** Tells the service that no more text follows, because nobody listens any more. */
  leave(): void {
    this.#send({ close_context: {} })
  }

  /** Sends the messages that wait, and each later one at once. */
  open(socket: Socket): void {
    this.#socket = socket
    for (const verb of this.#waiting) this.#send(verb)
    this.#waiting = []
    this.#waitingCharacters = 0
  }

  #sendText(text: string): void {
    this.#words?.addText(text)
    if (!this.#socket) this.#waitingCharacters += text.length
    for (const piece of piecesOf(text)) this.#send({ send_text: { text: piece } })
  }

  #send(verb: object): void {
    if (this.#socket) this.#socket.send(JSON.stringify({ contextId: this.#contextId, ...verb }))
    else this.#waiting.push(verb)
  }
}

/** White space matters, because the next text may continue a word. A character of two code units stays whole. */
function piecesOf(text: string): string[] {
  const { maxTextCharacters } = speechSocketLimits
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const piece = firstCharacters(text.slice(start), maxTextCharacters)
    pieces.push(piece)
    start += piece.length
  }
  return pieces
}
