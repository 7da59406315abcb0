import type { ToolCall, ToolCallDelta } from './message.ts'

export interface ToolCallAssembly {
  add(delta: ToolCallDelta): void
  /** The highest index so far, plus one. */
  readonly size: number
  /** The tool calls received so far, in the order of their indexes. */
  readonly toolCalls: ToolCall[]
}

/** Assembles tool calls from their parts. */
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
