import type { ChatMessage } from '@parlando/core/wire'
import type { Entry } from '../conversation-items.ts'

/**
 * The form that a language model reads. It expects the results of tool calls right after the calls, and a result for each of them.
 * So a call whose tool has not responded yet is left out.
 */
export function toMessages(instructions: string, entries: readonly Entry[]): ChatMessage[] {
  const outputs = new Map(
    entries
      .filter(({ item }) => item.type === 'function_call_output')
      .map(({ item }) => [item.call_id ?? '', item.output ?? '']),
  )
  const system = instructions ? [{ role: 'system' as const, content: instructions }] : []
  const messages = entries.flatMap((entry): ChatMessage[] => {
    const { item } = entry
    if (item.type === 'message') return toMessage(entry)
    const id = item.call_id ?? ''
    const content = outputs.get(id)
    if (item.type !== 'function_call' || content === undefined) return []
    const call = { name: item.name ?? '', arguments: item.arguments || '{}' }
    return [
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: id, content },
    ]
  })
  return [...system, ...messages]
}

function toMessage({ item, transcript }: Entry): ChatMessage[] {
  const parts = item.content?.map((part) => part.text ?? part.transcript ?? '') ?? []
  const content = transcript ?? parts.filter((part) => part !== '').join('\n')
  if (content === '') return []
  const role = item.role === 'assistant' || item.role === 'system' ? item.role : 'user'
  return [{ role, content }]
}
