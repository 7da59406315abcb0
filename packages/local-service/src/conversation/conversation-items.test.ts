import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { expect, it } from 'vitest'
import { createConversationItems } from './conversation-items.ts'

it('a conversation forgets its oldest items when the names of tool calls are long', () => {
  const conversation = createConversationItems()
  const name = 'x'.repeat(100_000)
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    conversation.add({ item: { id, type: 'function_call', name } })
  }
  expect(() => conversation.find('a', 'retrieve')).toThrow('Unknown item: a')
  expect(conversation.previousId('c')).toBe('b')
})

it('items with thousands of empty parts do not hold the event loop', async () => {
  const held = await measureHold(async () => {
    const conversation = createConversationItems()
    for (let index = 0; index < 500; index++) {
      const content = Array.from({ length: 1950 }, () => ({ type: 'input_text', text: '' }))
      conversation.add({ item: { id: `${index}`, type: 'message', role: 'user', content } })
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  expect(held).toBeLessThan(maxHoldMs)
})
