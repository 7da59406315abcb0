import { lastStatus, speak, useSpeak } from '@parlando/test-support/node-red/flows/speak-flow'
import type { Message } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'

const { loadSpeak } = useSpeak()

describe('when busy', () => {
  const texts = ['One.', 'Two.', 'Three.']
  const topicsOf = (messages: Message[]) => messages.map(({ topic }) => topic)

  /** A service that responds on command. */
  async function slowService() {
    const answers: { end(): void; hasListener: boolean }[] = []
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(480)))
      const answer = { end: () => void response.end(), hasListener: true }
      response.on('close', () => {
        answer.hasListener = false
      })
      answers.push(answer)
    })
    return { server, answers }
  }

  it('the next message waits, and the order is kept', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    for (const payload of texts) flow.node('speak').receive({ payload, topic: payload })
    expect(topicsOf(await flow.waitFor('out', 3))).toEqual(texts)
    await flow.waitFor('completed', 3)
  })

  it('the status shows the number of waiting messages', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await vi.waitFor(() => expect(answers.length).toBe(1))
    answers[0]!.end()
    await vi.waitFor(() => expect(answers.length).toBe(2))
    expect(flow.statuses('speak').some(({ text }) => text?.includes('waiting'))).toBe(true)
  })

  it('the status shows a waiting message while the previous one is in progress', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    flow.node('speak').receive({ payload: 'One.' })
    await flow.waitFor('out', 1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    flow.node('speak').receive({ payload: 'Two.' })
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toContain('waiting'))
    expect(answers.length).toBe(1)
  })

  it('the status shows work until the last parallel message is done', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ speak: { busy: 'parallel' }, baseUrl: server.baseUrl })
    for (const payload of ['One.', 'Two.']) flow.node('speak').receive({ payload })
    await vi.waitFor(() => expect(answers.length).toBe(2))
    answers[0]!.end()
    await flow.waitFor('completed', 1)
    expect(lastStatus(flow)).toMatchObject({ fill: 'blue' })
    answers[1]!.end()
    await flow.waitFor('completed', 2)
    expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
  })

  // Flows saved before 0.1 say `beside`.
  it.each(['parallel', 'beside'])('the next message runs in parallel: %s', async (busy) => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ speak: { busy }, baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await vi.waitFor(() => expect(answers.length).toBe(3))
    for (const answer of answers) answer.end()
    await flow.waitFor('completed', 3)
  })

  it('a word of 60,000 letters does not delay a short text that is spoken in parallel', async () => {
    const flow = await loadSpeak({ speak: { busy: 'parallel' } })
    flow.node('speak').receive({ payload: 'a'.repeat(60_000), topic: 'long' })
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ payload: 'Hello.', topic: 'short' })
    await flow.waitFor('completed', 1)
    const ends = flow.received('out').filter(({ complete }) => complete)
    expect(topicsOf(ends)).toEqual(['short'])
    flow.node('speak').receive({ stop: true })
    await flow.waitFor('completed', 3)
    expect(flow.received('caught')).toEqual([])
  })

  it('the next message replaces the current one, which completes without an error or a final message', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ speak: { busy: 'replace' }, baseUrl: server.baseUrl })
    flow.node('speak').receive({ payload: 'One.', topic: 'old' })
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ payload: 'Two.', topic: 'new' })
    await vi.waitFor(() => expect(answers.length).toBe(2))
    await vi.waitFor(() => expect(answers[0]!.hasListener).toBe(false))
    answers[1]!.end()
    await flow.waitFor('completed', 2)
    expect(flow.received('caught')).toEqual([])
    const ends = flow.received('out').filter(({ complete }) => complete)
    expect(topicsOf(ends)).toEqual(['new'])
  })

  it('msg.stop stops the current message, drops waiting ones, and is not passed on', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ stop: true, payload: 'never spoken' })
    await flow.waitFor('completed', 4)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(answers.length).toBe(1)
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('caught')).toEqual([])
    expect(lastStatus(flow)).toEqual({})
  })

  it('msg.stop on an idle node does nothing, and the next message is spoken', async () => {
    const flow = await loadSpeak()
    await speak(flow, { stop: true })
    expect((await speak(flow, { payload: 'Hello' })).length).toBeGreaterThan(1)
  })
})
