import { randomUUID } from 'node:crypto'
import type { RealtimeItem, RealtimeNewItem } from '../../wire/realtime-item.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'

/** What was said, so that a new session can continue the conversation. */
export interface History {
  /** The client sends a new item. @returns it with an id, by which the service confirms it. */
  add(item: RealtimeNewItem): RealtimeNewItem
  /** Takes note of an event of the service. */
  note(event: RealtimeServerEvent): void
  /** The user has heard only this part of an item, 0 to 1. */
  shorten(itemId: string, heard: number): void
  /** A new session begins. @returns the items as text, in order, which it has not confirmed yet. */
  restore(): RealtimeNewItem[]
}

// The newest items are the most useful, and a language model reads all of them again for each response.
const maxItems = 200
const maxCharacters = 200_000

export function createHistory(): History {
  /** What the client has sent, and the service has not confirmed. Each has an id. */
  let unconfirmed: RealtimeNewItem[] = []
  const items = new Map<string, RealtimeItem>()
  const transcripts = new Map<string, string>()
  /** The text of the speech that was received. A service may have shortened the transcript of an interrupted message. */
  const spokenTexts = new Map<string, string>()
  const heardParts = new Map<string, number>()
  const maps = [items, transcripts, spokenTexts, heardParts]

  const remove = (id: string) => {
    for (const map of maps) map.delete(id)
  }
  const confirm = (item: RealtimeItem) => {
    const sent =
      unconfirmed.find(({ id }) => id === item.id) ??
      // A service may choose other ids.
      unconfirmed.find((one) => isSameKind(one, item))
    unconfirmed = unconfirmed.filter((one) => one !== sent)
  }
  const keep = (item: RealtimeItem) => {
    if (!items.has(item.id)) confirm(item)
    items.set(item.id, item)
    const [oldest] = items.keys()
    if (items.size > maxItems) remove(oldest!)
  }
  const textOfMessage = (item: RealtimeItem): string => {
    const transcript = transcripts.get(item.id) ?? textOf(item)
    const heard = heardParts.get(item.id)
    if (heard === undefined) return transcript
    const spoken = spokenTexts.get(item.id) ?? transcript
    return spoken.slice(0, Math.ceil(spoken.length * heard))
  }
  const toNewItem = (item: RealtimeItem): RealtimeNewItem | undefined => {
    if (item.type !== 'message') return toolItem(item)
    const text = textOfMessage(item)
    return text === '' ? undefined : textItem(item, text)
  }

  return {
    add(item) {
      const added = { ...item, id: item.id ?? newItemId() }
      unconfirmed = [...unconfirmed, added].slice(-maxItems)
      return added
    },
    note(event) {
      switch (event.type) {
        case 'conversation.item.added':
        case 'conversation.item.done':
        case 'conversation.item.retrieved':
        case 'response.output_item.done':
          return keep(event.item)
        case 'response.output_audio_transcript.delta': {
          const { item_id: id, delta } = event
          if (items.has(id)) spokenTexts.set(id, (spokenTexts.get(id) ?? '') + delta)
          return
        }
        case 'conversation.item.input_audio_transcription.completed':
        case 'response.output_audio_transcript.done':
          if (items.has(event.item_id)) transcripts.set(event.item_id, event.transcript)
          return
        case 'conversation.item.deleted':
          return remove(event.item_id)
        case 'error':
          unconfirmed = unconfirmed.filter(({ id }) => id !== event.error.event_id)
      }
    },
    shorten(itemId, heard) {
      if (items.has(itemId)) heardParts.set(itemId, heard)
    },
    restore() {
      const confirmed = [...items.values()].flatMap((item) => toNewItem(item) ?? [])
      for (const map of maps) map.clear()
      unconfirmed = newest([...confirmed, ...unconfirmed])
      return unconfirmed
    },
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

/** Services take ids of up to 32 characters. */
function newItemId(): string {
  return `item_${randomUUID().replaceAll('-', '').slice(0, 20)}`
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
