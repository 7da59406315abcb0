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

it('a conversation forgets its oldest turns when they are long and the client wants no transcript', () => {
  const conversation = createConversationItems()
  const transcript = 'x'.repeat(100_000)
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    const content = [{ type: 'input_audio', transcript: null }]
    conversation.add({ item: { id, type: 'message', role: 'user', content }, transcript })
  }
  expect(conversation.entries.map(({ item }) => item.id)).toEqual(['c', 'd', 'e'])
})

it('the words of a turn count once, also if the client wants the transcript', () => {
  const conversation = createConversationItems()
  const transcript = 'x'.repeat(100_000)
  for (const id of ['a', 'b', 'c', 'd']) {
    const content = [{ type: 'input_audio', transcript }]
    conversation.add({ item: { id, type: 'message', role: 'user', content }, transcript })
  }
  expect(conversation.entries.map(({ item }) => item.id)).toEqual(['b', 'c', 'd'])
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
