import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createToolCalls } from './tool-calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a flow has 30 s for the result of each call, also if the server uses its id again', () => {
  const results: string[] = []
  const conversation = { sendToolResult: (_callId: string, result: string) => results.push(result) }
  const calls = createToolCalls(conversation as never, undefined)
  const call = { name: 'temperature', callId: 'call_1' }
  calls.begin(call, '{}')
  vi.advanceTimersByTime(20_000)
  calls.sendResult('call_1', '21 degrees')
  calls.begin(call, '{}')
  vi.advanceTimersByTime(29_999)
  expect(results).toEqual(['21 degrees'])
  vi.advanceTimersByTime(1)
  expect(results).toEqual(['21 degrees', 'The tool did not respond.'])
})
