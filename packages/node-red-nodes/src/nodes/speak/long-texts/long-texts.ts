import { randomUUID } from 'node:crypto'
import type { Node } from 'node-red'
import type { CompleteSpeechRequest } from '../../../runtime/speech/speech-request.ts'
import type { SpeechService } from '../../../runtime/speech-service.ts'
import { savableMessage } from '../../../saved/savable-message.ts'
import type { SavedList } from '../../../saved/saved-list.ts'
import type { SpeakMessage } from '../audio-messages.ts'
import { LongText, type SavedLongText } from './long-text.ts'
import type { TextPart } from './text-parts.ts'

/** Longer texts are spoken, but not after a restart. */
const maxSavedCharacters = 2_000_000

export interface LongTextsOptions {
  node: Node
  store: SavedList<SavedLongText>
  /** @returns nothing if the node has no service. */
  findService(): SpeechService | undefined
  /** Called when the service does not respond to a pause. */
  onProblem(error: unknown): void
}

/** The long texts of one node. */
export class LongTexts {
  readonly #options: LongTextsOptions
  /** Those of before the restart that wait, by their messages. */
  readonly #kept = new WeakMap<object, SavedLongText>()
  readonly #running = new Set<LongText>()
  /** Whether what runs goes on when the node is there again. */
  #goesOn = false

  constructor(options: LongTextsOptions) {
    this.#options = options
  }

  /** Goes on with the texts of before a restart or a deploy, in place of their messages. */
  start(): void {
    const { node, store } = this.#options
    for (const saved of store.of(node.id)) {
      const message = saved.message as unknown as SpeakMessage
      this.#kept.set(message, saved)
      node.receive(message)
    }
  }

  /** @returns whether a message only interrupts or resumes. */
  obey({ pause, resume }: SpeakMessage): boolean {
    if (pause !== true && resume !== true) return false
    for (const text of this.#running) text.setPaused(pause === true)
    return true
  }

  /** @returns the text that the message of before a restart stands for. */
  keptFor(message: object): LongText | undefined {
    const saved = this.#kept.get(message)
    this.#kept.delete(message)
    return saved && this.#open(saved, { isSaved: true, isBegun: true })
  }

  /** Called when the work for a message has ended or will never begin: a text that has waited until then is not wanted any more. */
  ended(message: object): void {
    if (this.#goesOn) return
    const text = this.keptFor(message)
    const service = this.#options.findService()
    if (text && service) service.letEnd(text.end(service))
  }

  begin(
    message: SpeakMessage,
    { text, ...request }: CompleteSpeechRequest,
    parts: TextPart[],
  ): LongText {
    const saved = {
      id: randomUUID(),
      nodeId: this.#options.node.id,
      message: savableMessage(message, ''),
      request,
      parts,
      jobNames: [],
      isPaused: false,
    }
    return this.#open(saved, { isSaved: text.length <= maxSavedCharacters, isBegun: false })
  }

  /** Called first when the node closes. */
  async close(isDeleted: boolean): Promise<void> {
    this.#goesOn = !isDeleted
    if (!isDeleted) return
    const { node, store } = this.#options
    for (const { id } of store.of(node.id)) store.remove(id)
    await store.flush()
  }

  #open(saved: SavedLongText, { isSaved, isBegun }: { isSaved: boolean; isBegun: boolean }) {
    const { node, store, onProblem } = this.#options
    const text = new LongText(saved, {
      isBegun,
      onProblem,
      save: async () => {
        if (!isSaved) return
        store.save(saved)
        await store.flush()
      },
      leaveOut: () => store.remove(saved.id),
      forget: async () => {
        this.#running.delete(text)
        const goesOn = this.#goesOn && store.of(node.id).some(({ id }) => id === saved.id)
        if (!goesOn) store.remove(saved.id)
        await store.flush()
        return !goesOn
      },
    })
    this.#running.add(text)
    return text
  }
}
