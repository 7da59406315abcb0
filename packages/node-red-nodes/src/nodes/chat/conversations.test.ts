import type { ChatMessage } from '@parlando/core'
import { expect, it } from 'vitest'
import { createConversations } from './conversations.ts'

const turn = (text: string): [ChatMessage, ChatMessage] => [
  { role: 'user', content: text },
  { role: 'assistant', content: `${text}!` },
]

it('keeps the last turns of each topic apart', () => {
  const conversations = createConversations(2)
  for (const text of ['one', 'two', 'three']) conversations.add('kitchen', ...turn(text))
  conversations.add('hall', ...turn('other'))
  expect(conversations.of('kitchen')).toEqual([...turn('two'), ...turn('three')])
  expect(conversations.of('hall')).toEqual(turn('other'))
})

it('keeps nothing when no turn is to be kept', () => {
  const conversations = createConversations(0)
  conversations.add('kitchen', ...turn('one'))
  expect(conversations.of('kitchen')).toEqual([])
})

it('forgets one topic, or all', () => {
  const conversations = createConversations(5)
  for (const topic of ['kitchen', 'hall', 'attic']) conversations.add(topic, ...turn(topic))
  conversations.forget('kitchen')
  expect(conversations.of('kitchen')).toEqual([])
  expect(conversations.of('hall').length).toBe(2)
  conversations.forget()
  expect(conversations.of('hall')).toEqual([])
})

it('forgets the topic that was quiet for longest when there are too many', () => {
  const conversations = createConversations(1)
  for (let index = 0; index < 200; index++) conversations.add(`topic ${index}`, ...turn('hello'))
  conversations.add('topic 0', ...turn('again'))
  conversations.add('one more', ...turn('hello'))
  expect(conversations.of('topic 0')).toEqual(turn('again'))
  expect(conversations.of('topic 1')).toEqual([])
  expect(conversations.of('one more').length).toBe(2)
})
