import type { RealtimeItem, RealtimeServerEvent } from '@parlando/core/wire'
import { expect } from 'vitest'

/**
 * Checks that all events of an item state the same text, until the client truncates it. Deltas may announce more than is
 * heard.
 * @returns the number of items with a text.
 */
export function expectOneTranscript(events: readonly object[]): number {
  const texts = new Map<string, Set<string>>()
  const truncated = new Set<string>()
  const note = (id: string, text: string | null | undefined) => {
    if (text && !truncated.has(id)) texts.set(id, (texts.get(id) ?? new Set()).add(text))
  }
  const noteItem = ({ id, content }: RealtimeItem) => {
    for (const part of content ?? []) note(id, part.transcript ?? part.text)
  }
  for (const event of events as readonly RealtimeServerEvent[]) {
    switch (event.type) {
      case 'conversation.item.input_audio_transcription.completed':
      case 'response.output_audio_transcript.done':
        note(event.item_id, event.transcript)
        break
      case 'response.output_text.done':
        note(event.item_id, event.text)
        break
      case 'response.content_part.done':
        note(event.item_id, Object(event.part).transcript ?? Object(event.part).text)
        break
      case 'response.done':
        event.response.output?.forEach(noteItem)
        break
      case 'conversation.item.truncated':
        truncated.add(event.item_id)
        break
      default:
        if ('item' in event) noteItem(event.item as RealtimeItem)
    }
  }
  for (const [id, stated] of texts) expect([id, ...stated]).toHaveLength(2)
  return texts.size
}
