import { InputError } from '../../errors.ts'
import type { Socket } from '../../http/socket.ts'
import { speechSocketLimits } from '../../wire/speech-socket.ts'

/** The messages of a context to the service. They wait until the connection is open. */
export interface ContextMessages {
  /** @param verb such as `flush_context`, with its settings. */
  send(verb: object): void
  /** Sends text in pieces, since a message has a limit. @throws {InputError} when a million characters are waiting. */
  sendText(text: string): void
  /** Sends the messages that wait, and each later one at once. */
  open(socket: Socket): void
}

const maxWaitingCharacters = 1_000_000

/** @param what The kind of call, for messages. @param first The verb of the first message. */
export function createContextMessages(
  contextId: string,
  what: string,
  first: object,
): ContextMessages {
  let socket: Socket | undefined
  let waiting = [first]
  let waitingCharacters = 0

  const send = (verb: object) => {
    if (socket) socket.send(JSON.stringify({ contextId, ...verb }))
    else waiting.push(verb)
  }

  return {
    send,
    sendText(text) {
      const characters = waitingCharacters + (socket?.waitingBytes ?? 0) + text.length
      if (characters > maxWaitingCharacters) {
        const message = `${what} failed: more than ${maxWaitingCharacters} characters would wait to be sent; write them later`
        throw new InputError(message)
      }
      if (!socket) waitingCharacters += text.length
      for (const piece of piecesOf(text)) send({ send_text: { text: piece } })
    },
    open(opened) {
      socket = opened
      for (const verb of waiting) send(verb)
      waiting = []
      waitingCharacters = 0
    },
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
