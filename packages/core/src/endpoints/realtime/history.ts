import { randomUUID } from 'node:crypto'
import { firstCharacters } from '../../text/first-characters.ts'
import type { RealtimeItem, RealtimeNewItem } from '../../wire/realtime-item.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'

// The newest items are the most useful, and a language model reads all of them again for each response.
const maxItems = 200
const maxCharacters = 200_000

/** What was said, so that a new session can continue the conversation. */
export class History {
  /** What the client has sent, and the service has not confirmed. Each has an id. */
  #unconfirmed: RealtimeNewItem[] = []
  readonly #items = new Map<string, RealtimeItem>()
  readonly #transcripts = new Map<string, string>()
  /** The text of the speech that was received. A service may have shortened the transcript of an interrupted message. */
  readonly #spokenTexts = new Map<string, string>()
  readonly #heardParts = new Map<string, number>()
  readonly #maps = [this.#items, this.#transcripts, this.#spokenTexts, this.#heardParts]

  /** The client sends a new item. @returns it with an id, by which the service confirms it. */
  add(item: RealtimeNewItem): RealtimeNewItem {
    const added = { ...item, id: item.id ?? newId('item') }
    this.#unconfirmed = [...this.#unconfirmed, added].slice(-maxItems)
    return added
  }

  /** Takes note of an event of the service. */
  note(event: RealtimeServerEvent) {
    switch (event.type) {
      case 'conversation.item.added':
      case 'conversation.item.done':
      case 'conversation.item.retrieved':
      case 'response.output_item.done':
        return this.#keep(event.item)
      case 'response.output_audio_transcript.delta': {
        const { item_id: id, delta } = event
        if (this.#items.has(id)) {
          this.#spokenTexts.set(id, (this.#spokenTexts.get(id) ?? '') + delta)
        }
        return
      }
      case 'conversation.item.input_audio_transcription.completed':
      case 'response.output_audio_transcript.done':
        if (this.#items.has(event.item_id)) {
          this.#transcripts.set(event.item_id, event.transcript)
        }
        return
      case 'conversation.item.deleted':
        return this.#remove(event.item_id)
      case 'error':
        this.#unconfirmed = this.#unconfirmed.filter(({ id }) => id !== event.error.event_id)
    }
  }

  /** The user has heard only this part of an item, 0 to 1. */
  shorten(itemId: string, heard: number): void {
    if (this.#items.has(itemId)) this.#heardParts.set(itemId, heard)
  }

  /** A new session begins. @returns the items as text, in order, which it has not confirmed yet. */
  restore(): RealtimeNewItem[] {
    const confirmed = [...this.#items.values()].flatMap((item) => this.#toNewItem(item) ?? [])
    for (const map of this.#maps) map.clear()
    this.#unconfirmed = newest([...confirmed, ...this.#unconfirmed])
    return this.#unconfirmed
  }

  #keep(item: RealtimeItem): void {
    if (!this.#items.has(item.id)) this.#confirm(item)
    this.#items.set(item.id, item)
    const [oldest] = this.#items.keys()
    if (this.#items.size > maxItems) this.#remove(oldest!)
  }

  #confirm(item: RealtimeItem): void {
    const sent =
      this.#unconfirmed.find(({ id }) => id === item.id) ??
      // A service may choose other ids.
      this.#unconfirmed.find((one) => isSameKind(one, item))
    this.#unconfirmed = this.#unconfirmed.filter((one) => one !== sent)
  }

  #remove(id: string): void {
    for (const map of this.#maps) map.delete(id)
  }

  #toNewItem(item: RealtimeItem): RealtimeNewItem | undefined {
    if (item.type !== 'message') return toolItem(item)
    const text = this.#textOfMessage(item)
    return text === '' ? undefined : textItem(item, text)
  }

  #textOfMessage(item: RealtimeItem): string {
    const transcript = this.#transcripts.get(item.id) ?? textOf(item)
    const heard = this.#heardParts.get(item.id)
    if (heard === undefined) return transcript
    const spoken = this.#spokenTexts.get(item.id) ?? transcript
    return firstCharacters(spoken, Math.ceil(spoken.length * heard))
  }
}

/** The last items, as many as a new session takes. */
function newest(items: readonly RealtimeNewItem[]): RealtimeNewItem[] {
  let characters = 0
  const tooOld = items.findLastIndex((item) => {
    characters += JSON.stringify(item).length
    return characters > maxCharacters
  })
  return items.slice(Math.max(tooOld + 1, items.length - maxItems))
}

function isSameKind(sent: RealtimeNewItem, item: RealtimeItem): boolean {
  if (sent.type !== item.type) return false
  return sent.type === 'message' ? sent.role === item.role : sent.call_id === item.call_id
}

function textOf({ content }: RealtimeItem): string {
  return (content ?? []).map(({ text, transcript }) => text ?? transcript ?? '').join('')
}

function textItem({ id, role }: RealtimeItem, text: string): RealtimeNewItem | undefined {
  const type = 'message'
  const input = [{ type: 'input_text' as const, text }]
  switch (role) {
    case 'assistant':
      return { id, type, role, content: [{ type: 'output_text', text }] }
    case 'user':
      return { id, type, role, content: input }
    case 'system':
      return { id, type, role, content: input }
    default:
      return undefined
  }
}

function toolItem(item: RealtimeItem): RealtimeNewItem | undefined {
  const { id, type, call_id, name, arguments: json, output } = item
  if (!call_id) return undefined
  if (type === 'function_call' && name) {
    return { id, type, call_id, name, arguments: json || '{}' }
  }
  if (type === 'function_call_output') return { id, type, call_id, output: output ?? '' }
  return undefined
}

/** @returns a new id such as `item_3f2a…`. Services take ids of up to 32 characters. */
export function newId(kind: 'event' | 'item'): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 20)}`
}
