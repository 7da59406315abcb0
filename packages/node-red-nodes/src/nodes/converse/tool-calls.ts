import type { RealtimeConversation } from '@parlando/core'
import { maxToolRounds, type ServedTools } from '../../mcp/tool-server.ts'
import type { OpenToolCall } from './conversation-messages.ts'

/** A flow may never send the result. */
const timeoutMs = 30_000
const noResult = 'The tool did not respond.'

/**
 * The calls of tools that a language model waits for. Calls the tools of a server, and gives a call whose result the flow does
 * not send a result, so that the language model can continue.
 */
export function createToolCalls(
  conversation: Pick<RealtimeConversation, 'sendToolResult'>,
  served: ServedTools | undefined,
) {
  /** The timers by call id, which a server may use again after the result. */
  const timers = new Map<string, NodeJS.Timeout>()
  let isClosed = false
  /** The responses in a row that call tools. */
  let rounds = 0
  let hasCalled = false
  const endWait = (callId: string) => {
    clearTimeout(timers.get(callId))
    timers.delete(callId)
  }
  /** @throws {InputError} if no call waits for this result. */
  const sendResult = (callId: string, result: string): void => {
    const mustAnswer = rounds >= maxToolRounds
    conversation.sendToolResult(callId, result, mustAnswer ? { tool_choice: 'none' } : undefined)
    endWait(callId)
  }
  const send = (callId: string, result: string) => {
    try {
      if (!isClosed) sendResult(callId, result)
    } catch {
      // The flow has sent the result, or the conversation has ended.
    }
  }
  return {
    sendResult,
    beginResponse() {
      if (!hasCalled) rounds = 0
      hasCalled = false
    },
    /** @returns whether a server has the tool. Otherwise the flow has it. */
    begin({ name, callId }: OpenToolCall, json: string): boolean {
      if (!hasCalled) rounds += 1
      hasCalled = true
      if (served?.has(name)) {
        void served.call(name, json).then((result) => send(callId, result))
        return true
      }
      endWait(callId)
      timers.set(
        callId,
        setTimeout(() => send(callId, noResult), timeoutMs),
      )
      return false
    },
    close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
