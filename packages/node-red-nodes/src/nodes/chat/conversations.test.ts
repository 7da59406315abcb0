import type { ChatMessage } from '@parlando/core'
import { expect, it } from 'vitest'
import { createConversations } from './conversations.ts'

const turn = (text: string): [ChatMessage, ChatMessage] => [
  { role: 'user', content: text },
  { role: 'assistant', content: `${text}!` },
]

it('keeps the last turns of each topic separately', () => {
  const conversations = createConversations(2)
  for (const text of ['one', 'two', 'three']) conversations.open('kitchen').add(...turn(text))
  conversations.open('hall').add(...turn('other'))
  expect(conversations.open('kitchen').turns).toEqual([...turn('two'), ...turn('three')])
  expect(conversations.open('hall').turns).toEqual(turn('other'))
})

it('keeps nothing with a limit of 0 turns', () => {
  const conversations = createConversations(0)
  conversations.open('kitchen').add(...turn('one'))
  expect(conversations.open('kitchen').turns).toEqual([])
})

it('keeps the turns of parallel questions', () => {
  const conversations = createConversations(5)
  const [one, other] = [conversations.open('kitchen'), conversations.open('kitchen')]
  other.add(...turn('other'))
  one.add(...turn('one'))
  expect(conversations.open('kitchen').turns).toEqual([...turn('other'), ...turn('one')])
})

it('forgets one topic, or all', () => {
  const conversations = createConversations(5)
  for (const topic of ['kitchen', 'hall', 'attic']) conversations.open(topic).add(...turn(topic))
  conversations.forget('kitchen')
  expect(conversations.open('kitchen').turns).toEqual([])
  expect(conversations.open('hall').turns.length).toBe(2)
  conversations.forget()
  expect(conversations.open('hall').turns).toEqual([])
})

it('does not remember an answer to a question from before a reset', () => {
  const conversations = createConversations(5)
  const [kitchen, hall] = [conversations.open('kitchen'), conversations.open('hall')]
  conversations.forget('kitchen')
  conversations.open('kitchen').add(...turn('new'))
  kitchen.add(...turn('old'))
  hall.add(...turn('other'))
  expect(conversations.open('kitchen').turns).toEqual(turn('new'))
  expect(conversations.open('hall').turns).toEqual(turn('other'))
})

it('forgets the least recently used topic above the limit', () => {
  const conversations = createConversations(1)
  for (let index = 0; index < 200; index++) {
    conversations.open(`topic ${index}`).add(...turn('hello'))
  }
  conversations.open('topic 0').add(...turn('again'))
  conversations.open('one more').add(...turn('hello'))
  expect(conversations.open('topic 0').turns).toEqual(turn('again'))
  expect(conversations.open('one more').turns.length).toBe(2)
  expect(conversations.open('topic 1').turns).toEqual([])
})
