import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, useChat } from '@parlando/test-support/node-red/flows/chat-flow'
import { chatEnd, chatEvent } from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const { loadChat, unload, userFolder } = useChat()
const folder = join(userFolder, 'parlando', 'conversations')
beforeEach(() => rmSync(folder, { recursive: true, force: true }))

interface Request {
  body: { messages: { role: string; content: string }[] }
}
const messagesOf = (request: unknown) => (request as Request).body.messages

/** A language model that repeats the last text, and summarizes. */
const startModel = ({ canSummarize = true } = {}) =>
  startTestServer((response, _request, bytes) => {
    const { stream, messages } = JSON.parse(Buffer.from(bytes).toString())
    const { content } = messages.at(-1)
    if (stream) return void response.end(chatEvent({ content: `${content}!` }) + chatEnd)
    if (!canSummarize) return void response.writeHead(400).end('{}')
    const message = { role: 'assistant', content: 'They spoke about numbers.' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
  })

const pair = (text: string) => [
  { role: 'user', content: text },
  { role: 'assistant', content: `${text}!` },
]

describe('a conversation that is kept', () => {
  it('goes on after a restart', async () => {
    const model = await startModel()
    const kept = { keep: true }
    const before = await loadChat(model.baseUrl, kept)
    await ask(before, { payload: 'one', topic: 'kitchen' })
    await unload()
    const after = await loadChat(model.baseUrl, kept)
    await ask(after, { payload: 'two', topic: 'kitchen' })
    expect(messagesOf(model.requests[1])).toEqual([
      ...pair('one'),
      { role: 'user', content: 'two' },
    ])
    await ask(after, { payload: 'other', topic: 'hall' })
    expect(messagesOf(model.requests[2])).toEqual([{ role: 'user', content: 'other' }])
  })

  it('is shortened by a summary, which is part of the instructions', async () => {
    const model = await startModel()
    const flow = await loadChat(model.baseUrl, { keep: true, turns: '2', system: 'Be brief.' })
    for (const payload of ['one', 'two', 'three']) await ask(flow, { payload })
    expect(messagesOf(model.requests[3])).toMatchObject([
      { role: 'system', content: expect.stringContaining('Summarize') },
      { role: 'user', content: 'user: one\nassistant: one!\nuser: two\nassistant: two!' },
    ])
    await ask(flow, { payload: 'four' })
    expect(messagesOf(model.requests[4])).toEqual([
      {
        role: 'system',
        content: 'Be brief.\n\nSummary of the conversation so far: They spoke about numbers.',
      },
      ...pair('three'),
      { role: 'user', content: 'four' },
    ])
  })

  it('loses nothing when the summary fails, and the node warns', async () => {
    const model = await startModel({ canSummarize: false })
    const flow = await loadChat(model.baseUrl, { keep: true, turns: '1' })
    const warn = vi.spyOn(flow.node('chat'), 'warn')
    for (const payload of ['one', 'two']) await ask(flow, { payload })
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('memory.not-summarized'))
    await ask(flow, { payload: 'three' })
    expect(messagesOf(model.requests.at(-2))).toEqual([
      ...pair('one'),
      ...pair('two'),
      { role: 'user', content: 'three' },
    ])
    expect(flow.received('caught')).toEqual([])
  })

  it.each(['{', '[["kitchen", {"summary": 1}], 4, ["hall", {"summary": "", "turns": [{}]}]]'])(
    'begins anew if its file is damaged: %s',
    async (text) => {
      const model = await startModel()
      const kept = { keep: true }
      await ask(await loadChat(model.baseUrl, kept), { payload: 'one' })
      await unload()
      const [file] = readdirSync(folder)
      writeFileSync(join(folder, file!), text)
      await ask(await loadChat(model.baseUrl, kept), { payload: 'two' })
      expect(messagesOf(model.requests[1])).toEqual([{ role: 'user', content: 'two' }])
    },
  )

  it('is deleted when it is no longer kept, and by a message', async () => {
    const model = await startModel()
    const flow = await loadChat(model.baseUrl, { keep: true })
    await ask(flow, { payload: 'one' })
    await unload()
    expect(readdirSync(folder)).toHaveLength(1)
    const forgetful = await loadChat(model.baseUrl, { keep: false })
    await ask(forgetful, { payload: 'two' })
    expect(messagesOf(model.requests[1])).toEqual([{ role: 'user', content: 'two' }])
    await unload()
    expect(readdirSync(folder)).toEqual([])
  })
})
