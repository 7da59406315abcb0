import type { RealtimeItem, RealtimeNewItem } from '../../wire/realtime-item.ts'
import type { RealtimeServerEvent } from '../../wire/realtime-server-events.ts'

/** What was said, so that a new session can continue the conversation. */
export interface History {
  /** Takes note of an event of the service. */
  note(event: RealtimeServerEvent): void
  /** The user has heard only this part of an item, 0 to 1. */
  shorten(itemId: string, heard: number): void
  /** The items as text, in order. The last one is the newest. */
  items(): RealtimeNewItem[]
}

// The newest items are the most useful, and a language model reads all of them again for each response.
const maxItems = 200
const maxCharacters = 200_000

export function createHistory(): History {
  const items = new Map<string, RealtimeItem>()
  const transcripts = new Map<string, string>()
  const heardParts = new Map<string, number>()

  const remove = (id: string) => {
    for (const map of [items, transcripts, heardParts]) map.delete(id)
  }
  const keep = (item: RealtimeItem) => {
    items.set(item.id, item)
    const [oldest] = items.keys()
    if (items.size > maxItems) remove(oldest!)
  }
  const toNewItem = (item: RealtimeItem): RealtimeNewItem | undefined => {
    if (item.type !== 'message') return toolItem(item)
    const said = transcripts.get(item.id) ?? textOf(item)
    const text = said.slice(0, Math.ceil(said.length * (heardParts.get(item.id) ?? 1)))
    return text === '' ? undefined : textItem(item.role, text)
  }

  return {
    note(event) {
      switch (event.type) {
        case 'conversation.item.added':
        case 'conversation.item.done':
        case 'conversation.item.retrieved':
        case 'response.output_item.done':
          return keep(event.item)
        case 'conversation.item.input_audio_transcription.completed':
        case 'response.output_audio_transcript.done':
          if (items.has(event.item_id)) transcripts.set(event.item_id, event.transcript)
          return
        case 'conversation.item.deleted':
          return remove(event.item_id)
      }
    },
    shorten(itemId, heard) {
      if (items.has(itemId)) heardParts.set(itemId, heard)
    },
    items() {
      const newest: RealtimeNewItem[] = []
      let characters = 0
      for (const item of [...items.values()].toReversed()) {
        const newItem = toNewItem(item)
        if (!newItem) continue
        characters += JSON.stringify(newItem).length
        if (characters > maxCharacters) break
        newest.unshift(newItem)
      }
      return newest
    },
  }
}

function textOf({ content }: RealtimeItem): string {
  return (content ?? []).map(({ text, transcript }) => text ?? transcript ?? '').join('')
}

function textItem(role: RealtimeItem['role'], text: string): RealtimeNewItem | undefined {
  const type = 'message'
  const input = [{ type: 'input_text' as const, text }]
  switch (role) {
    case 'assistant':
      return { type, role, content: [{ type: 'output_text', text }] }
    case 'user':
      return { type, role, content: input }
    case 'system':
      return { type, role, content: input }
    default:
      return undefined
  }
}

function toolItem(item: RealtimeItem): RealtimeNewItem | undefined {
  const { type, call_id, name, arguments: json, output } = item
  if (!call_id) return undefined
  if (type === 'function_call' && name) return { type, call_id, name, arguments: json || '{}' }
  if (type === 'function_call_output') return { type, call_id, output: output ?? '' }
  return undefined
}
