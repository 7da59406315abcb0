import { InputError } from '../../errors.ts'
import type { Socket } from '../../http/socket.ts'
import { hasSpeakable } from '../../text/words.ts'
import {
  type SpeechContextSettings,
  speechSocketLimits,
} from '../../wire/speech-socket-messages.ts'

const maxWaitingCharacters = 1_000_000

/** The text of a context on its way to the service. It waits until the connection is open. */
export class ContextText {
  readonly #contextId: string
  readonly #what: string
  #socket: Socket | undefined
  #waiting: object[]
  #waitingCharacters = 0
  #hasText = false
  #isEnded = false

  /** @param what named by errors. */
  constructor(contextId: string, what: string, settings: SpeechContextSettings) {
    this.#contextId = contextId
    this.#what = what
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

  /** Sends text in pieces, since a message has a limit. @throws {InputError} when a million characters are waiting. */
  write(text: string): void {
    const characters = this.#waitingCharacters + (this.#socket?.waitingBytes ?? 0) + text.length
    if (characters > maxWaitingCharacters) {
      const message = `${this.#what} failed: more than ${maxWaitingCharacters} characters would wait to be sent; write them later`
      throw new InputError(message)
    }
    if (!this.#socket) this.#waitingCharacters += text.length
    for (const piece of piecesOf(text)) this.#send({ send_text: { text: piece } })
    this.#hasText ||= hasSpeakable(text)
  }

  flush(): void {
    this.#send({ flush_context: {} })
  }

  /** Ends the text: the service speaks the rest. */
  end(): void {
    this.#isEnded = true
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

  #send(verb: object): void {
    if (this.#socket) this.#socket.send(JSON.stringify({ contextId: this.#contextId, ...verb }))
    else this.#waiting.push(verb)
  }
}

/** White space matters, because the next text may continue a word. */
function piecesOf(text: string): string[] {
  const { maxTextCharacters } = speechSocketLimits
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + maxTextCharacters, text.length)
    // A character of two code units stays whole.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
