import { describe, expect, it } from 'vitest'
import { createConversations } from '../../conversations/conversations.ts'
import { Memory } from './memory.ts'

const history = () => createConversations({ maxTurns: 20, onChange() {} }).open('kitchen')
const later = async () => {}

describe('the memory of spoken conversations', () => {
  it('has questions with their answers, also of several parts', async () => {
    const kept = history()
    const memory = new Memory(kept, later)
    memory.noteAssistant('Welcome.')
    memory.noteUser('Is it')
    memory.noteUser('raining?')
    memory.noteAssistant('Let me look.')
    memory.noteAssistant('Yes.')
    memory.noteUser('Thanks.')
    await memory.close()
    expect(kept.turns).toEqual([
      { role: 'user', content: 'Is it raining?' },
      { role: 'assistant', content: 'Let me look. Yes.' },
    ])
  })

  it('begins a conversation with the earlier turns, and the summary of those before', () => {
    const kept = { ...history(), summary: 'Ann likes rain.' }
    const memory = new Memory(kept, later)
    kept.add({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' })
    const sent: object[] = []
    memory.restore({ send: (event) => void sent.push(event) })
    const item = (role: string, type: string, text: string) => ({
      type: 'conversation.item.create',
      item: { type: 'message', role, content: [{ type, text }] },
    })
    expect(sent).toEqual([
      item('user', 'input_text', 'Hi'),
      item('assistant', 'output_text', 'Hello'),
    ])
    expect(memory.remind({ instructions: 'Be brief.' }).instructions).toBe(
      'Be brief.\n\nSummary of the conversation so far: Ann likes rain.',
    )
  })

  it('is shortened after each answer, once at a time, and waits for that at the end', async () => {
    let calls = 0
    let finish = () => {}
    const shorten = () => {
      calls += 1
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    }
    const memory = new Memory(history(), shorten)
    for (const text of ['one', 'two', 'three']) {
      memory.noteUser(text)
      memory.noteAssistant(text)
    }
    let isClosed = false
    const closing = memory.close().then(() => {
      isClosed = true
    })
    await Promise.resolve()
    expect([calls, isClosed]).toEqual([1, false])
    finish()
    await closing
  })
})
