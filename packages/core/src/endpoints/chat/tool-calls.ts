import type { ToolCall, ToolCallDelta } from './message.ts'

export interface ToolCallAssembly {
  add(delta: ToolCallDelta): void
  /** How many indexes have been seen, up to the highest. */
  readonly size: number
  /** In the order of their indexes, as far as they have come. */
  readonly toolCalls: ToolCall[]
}

/** Puts tool calls together from their bits. */
export function assembleToolCalls(): ToolCallAssembly {
  const calls = new Map<number, ToolCall>()
  let size = 0
  return {
    add({ index, id, name, arguments: text }) {
      const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
      calls.set(index, call)
      size = Math.max(size, index + 1)
      call.id ||= id ?? ''
      call.name ||= name ?? ''
      call.arguments += text ?? ''
    },
    get size() {
      return size
    },
    get toolCalls() {
      return [...calls.entries()]
        .sort(([first], [second]) => first - second)
        .map(([, call]) => ({ ...call }))
    },
  }
}
