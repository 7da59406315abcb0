import { createClient } from '@parlando/core'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { answer, type ChatOutput } from './answer-messages.ts'

it('cuts an answer of 1 MB that arrives as one delta in short steps, with the same sentences', async () => {
  const sentence = 'This sentence has no end, but a comma, '
  const content = sentence.repeat(25_000)
  const server = await startTestServer((response) => {
    response.setHeader('content-type', 'text/event-stream')
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  const client = createClient({ baseUrl: server.baseUrl })
  const stream = client.chatStream({ model: 'auto', messages: [{ role: 'user', content: 'Hi.' }] })

  let turn = 0
  let next = setImmediate(function countTurn() {
    turn += 1
    next = setImmediate(countTurn)
  })
  const charactersOfTurns = new Map<number, number>()
  const sentences: unknown[] = []
  const message: ChatOutput = { _msgid: '1' }
  const options = { stream, message, output: 'sentences', sequenceId: '2' } as const
  for await (const step of answer({ ...options, clone: (message) => ({ ...message }) })) {
    if (!step.message) continue
    const text = String(step.message.payload)
    sentences.push(text)
    charactersOfTurns.set(turn, (charactersOfTurns.get(turn) ?? 0) + text.length)
  }
  clearImmediate(next)
  expect(sentences.join(' ')).toBe(content.trim())
  expect(Math.max(...charactersOfTurns.values())).toBeLessThan(20_000)
})

it('sends the start of the first sentence as soon as a speaker could pause', async () => {
  const deltas = [
    'The harbour lay still in',
    ' the',
    ' early light. The boats',
    ' came in with the tide.',
  ]
  const server = await startTestServer((response) => {
    response.setHeader('content-type', 'text/event-stream')
    for (const content of deltas) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
  const client = createClient({ baseUrl: server.baseUrl })
  const stream = client.chatStream({ model: 'auto', messages: [{ role: 'user', content: 'Hi.' }] })
  const options = {
    stream,
    message: { _msgid: '1' },
    output: 'sentences',
    sequenceId: '2',
  } as const
  const texts: unknown[] = []
  for await (const { message } of answer({ ...options, clone: (message) => ({ ...message }) })) {
    if (message) texts.push(message.payload)
  }
  expect(texts).toEqual([
    'The harbour lay still',
    'in the early light.',
    'The boats came in with the tide.',
  ])
})
