import type { Node, NodeAPI } from 'node-red'
import { NodeLimitError } from '../../runtime/failure.ts'
import { readSpeechText } from '../../runtime/speech/speech-text.ts'
import { cutSentences } from './cut-sentences.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import type { ReadAloudSettings } from './read-aloud-settings.ts'
import type { ReadAloudText } from './reading.ts'

/** One text has at most this many characters: some of the longest novels. */
const maxCharacters = 2_000_000
/** A node has at most this many texts, together with the one that is read. */
const maxTexts = 20
const maxAllCharacters = 4_000_000

/** Reads the texts of messages and cuts them into sentences, in the order of the messages. */
export class TextIntake {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #config: ReadAloudSettings
  #last: Promise<unknown> = Promise.resolve()
  #arriving = new AbortController()

  constructor(RED: NodeAPI, node: Node, config: ReadAloudSettings) {
    this.#RED = RED
    this.#node = node
    this.#config = config
  }

  /** Ends the texts that are still being cut. */
  stop(): void {
    this.#arriving.abort(new Error('The text was stopped'))
    this.#arriving = new AbortController()
  }

  /**
   * @param known the texts that are read or wait; asked when it is the turn of the message.
   * @returns the sentences of a message; none for a part of a sequence that has nothing to say. `undefined` after a stop.
   * @throws {NodeInputError} for a message without a text, {@link NodeLimitError} for a text that is too long or one too many.
   */
  take(
    message: ReadAloudMessage,
    known: () => readonly ReadAloudText[],
  ): Promise<readonly string[] | undefined> {
    const { signal } = this.#arriving
    const taken = this.#last.then(async () => {
      try {
        signal.throwIfAborted()
        return await this.#cut(message, signal, known)
      } catch (error) {
        if (signal.aborted) return undefined
        throw error
      }
    })
    this.#last = taken.catch(() => {})
    return taken
  }

  async #cut(
    message: ReadAloudMessage,
    signal: AbortSignal,
    known: () => readonly ReadAloudText[],
  ): Promise<readonly string[]> {
    const context = { RED: this.#RED, node: this.#node, message, signal }
    const text = await readSpeechText(context, this.#config)
    this.#checkLength(text)
    const sentences = await cutSentences(text, signal)
    this.#checkRoom(sentences, known())
    return sentences
  }

  #checkLength({ length }: string): void {
    if (length <= maxCharacters) return
    throw new NodeLimitError(
      this.#RED._('read-aloud.error.too-long', { length, max: maxCharacters }),
    )
  }

  #checkRoom(sentences: readonly string[], known: readonly ReadAloudText[]): void {
    const characters = [sentences, ...known.map((reading) => reading.sentences)]
      .flat()
      .reduce((sum, { length }) => sum + length, 0)
    if (known.length < maxTexts && characters <= maxAllCharacters) return
    const limits = { max: maxTexts, maxCharacters: maxAllCharacters }
    throw new NodeLimitError(this.#RED._('read-aloud.error.too-many', limits))
  }
}
