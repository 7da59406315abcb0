import type { ChatMessage } from '@parlando/core'
import { describe, expect, it } from 'vitest'
import { createConversations, type Remembered } from './conversations.ts'

const turn = (text: string): [ChatMessage, ChatMessage] => [
  { role: 'user', content: text },
  { role: 'assistant', content: `${text}!` },
]

it('keeps the last turns of each topic separately', () => {
  const conversations = createConversations({ maxTurns: 2 })
  for (const text of ['one', 'two', 'three']) conversations.open('kitchen').add(...turn(text))
  conversations.open('hall').add(...turn('other'))
  expect(conversations.open('kitchen').turns).toEqual([...turn('two'), ...turn('three')])
  expect(conversations.open('hall').turns).toEqual(turn('other'))
})

it('keeps nothing with a limit of 0 turns', () => {
  const conversations = createConversations({ maxTurns: 0 })
  conversations.open('kitchen').add(...turn('one'))
  expect(conversations.open('kitchen').turns).toEqual([])
})

it('keeps the turns of parallel questions', () => {
  const conversations = createConversations({ maxTurns: 5 })
  const [one, other] = [conversations.open('kitchen'), conversations.open('kitchen')]
  other.add(...turn('other'))
  one.add(...turn('one'))
  expect(conversations.open('kitchen').turns).toEqual([...turn('other'), ...turn('one')])
})

it('forgets one topic, or all', () => {
  const conversations = createConversations({ maxTurns: 5 })
  for (const topic of ['kitchen', 'hall', 'attic']) conversations.open(topic).add(...turn(topic))
  conversations.forget('kitchen')
  expect(conversations.open('kitchen').turns).toEqual([])
  expect(conversations.open('hall').turns.length).toBe(2)
  conversations.forget()
  expect(conversations.open('hall').turns).toEqual([])
})

it('does not remember an answer to a question from before a reset', () => {
  const conversations = createConversations({ maxTurns: 5 })
  const [kitchen, hall] = [conversations.open('kitchen'), conversations.open('hall')]
  conversations.forget('kitchen')
  conversations.open('kitchen').add(...turn('new'))
  kitchen.add(...turn('old'))
  hall.add(...turn('other'))
  expect(conversations.open('kitchen').turns).toEqual(turn('new'))
  expect(conversations.open('hall').turns).toEqual(turn('other'))
})

it('forgets the least recently used topic above the limit', () => {
  const conversations = createConversations({ maxTurns: 1 })
  for (let index = 0; index < 200; index++) {
    conversations.open(`topic ${index}`).add(...turn('hello'))
  }
  conversations.open('topic 0').add(...turn('again'))
  conversations.open('one more').add(...turn('hello'))
  expect(conversations.open('topic 0').turns).toEqual(turn('again'))
  expect(conversations.open('one more').turns.length).toBe(2)
  expect(conversations.open('topic 1').turns).toEqual([])
})

describe('a conversation that is kept', () => {
  const create = () => {
    const saved: Record<string, Remembered>[] = []
    const conversations = createConversations({
      maxTurns: 2,
      onChange: (all) => void saved.push(structuredClone(Object.fromEntries(all))),
    })
    return { conversations, saved }
  }

  it('is saved with each change', () => {
    const { conversations, saved } = create()
    conversations.open('kitchen').add(...turn('one'))
    conversations.forget()
    expect(saved).toEqual([{ kitchen: { summary: '', turns: turn('one') } }, {}])
  })

  it('is shortened by a summary when it has grown', async () => {
    const { conversations, saved } = create()
    const history = conversations.open('kitchen')
    const asked: Remembered[] = []
    const summarize = async (older: Remembered) => {
      asked.push(structuredClone(older))
      return `summary ${asked.length}`
    }
    for (const text of ['one', 'two', 'three', 'four']) {
      history.add(...turn(text))
      await history.shorten(summarize)
    }
    expect(asked).toEqual([{ summary: '', turns: [...turn('one'), ...turn('two')] }])
    expect(saved.at(-1)).toEqual({
      kitchen: { summary: 'summary 1', turns: [...turn('three'), ...turn('four')] },
    })
    history.add(...turn('five'))
    await history.shorten(summarize)
    expect(asked[1]).toEqual({ summary: 'summary 1', turns: [...turn('three'), ...turn('four')] })
  })

  it('loses nothing when the summary fails, up to twice its length', async () => {
    const { conversations } = create()
    const history = conversations.open('kitchen')
    const fail = () => Promise.reject(new Error('away'))
    for (const text of ['one', 'two', 'three', 'four']) {
      history.add(...turn(text))
      if (history.turns.length > 4) await expect(history.shorten(fail)).rejects.toThrow('away')
    }
    expect(history.turns).toHaveLength(8)
    history.add(...turn('five'))
    expect(history.turns).toEqual(['two', 'three', 'four', 'five'].flatMap(turn))
  })

  it('that was forgotten meanwhile gets no summary', async () => {
    const { conversations } = create()
    const history = conversations.open('kitchen')
    for (const text of ['one', 'two', 'three']) history.add(...turn(text))
    await history.shorten(async () => {
      conversations.forget()
      return 'old'
    })
    expect(conversations.open('kitchen').summary).toBe('')
  })
})
