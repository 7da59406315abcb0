import type { RealtimeConversation } from '@parlando/core'

/** The tool calls whose results the flow has not sent. */
export interface ToolCalls {
  begin(callId: string): void
  close(): void
}

/** A flow may never send the result. */
const timeoutMs = 30_000
const noResult = 'The tool did not respond.'

/** Gives a tool that does not respond a result, so that the language model can continue. */
export function createToolCalls(
  conversation: Pick<RealtimeConversation, 'sendToolResult'>,
): ToolCalls {
  const timers = new Set<NodeJS.Timeout>()
  return {
    begin(callId) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        try {
          conversation.sendToolResult(callId, noResult)
        } catch {
          // The flow has sent the result.
        }
      }, timeoutMs)
      timers.add(timer)
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
