import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  created,
  done,
  responding,
  said,
  sentOf,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import { describe, expect, it, vi } from 'vitest'
import { fileNameOf } from '../../saved/saved-file.ts'

const { startConverse, deploy, unload, userFolder } = useConverse()
const folder = join(userFolder, 'parlando', 'conversations')

/** A conversation that is kept, with one answer, and still open. */
async function converse() {
  const { server, flow, receive } = await startConverse(
    responding(created, said('It rains.'), done()),
    { keep: true },
  )
  receive({ payload: 'How is the weather?' })
  await flow.waitFor('transcript', 1)
  const texts = () =>
    sentOf(server.sockets[0], 'conversation.item.create').map((message) => {
      const { item } = message as { item: { content: { text: string }[] } }
      return item.content[0]!.text
    })
  return { texts }
}

it('an open conversation that is kept goes on with its last answer after a restart', async () => {
  await converse()
  await unload()
  const { texts } = await converse()
  await vi.waitFor(() =>
    expect(texts()).toEqual(['How is the weather?', 'It rains.', 'How is the weather?']),
  )
})

it('an open conversation is deleted with its node', async () => {
  await converse()
  await deploy([])
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})

describe('while the last summary of a conversation is written', () => {
  const pcm = { encoding: 'PCM', sampleRateHertz: 16_000, channels: 1 }
  const chunk = (index: number) => ({
    payload: Buffer.alloc(640, 1),
    audio: pcm,
    parts: { id: 'recording', type: 'buffer', index },
  })
  const last = {
    payload: Buffer.alloc(0),
    audio: pcm,
    parts: { id: 'recording', type: 'buffer', index: 2, count: 3 },
    complete: true,
  }

  /** A language model whose summary waits until it is released. */
  function createModel() {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let requests = 0
    const server = createServer(async (request, response) => {
      request.resume()
      requests += 1
      await released
      const message = { role: 'assistant', content: 'They spoke about rain.' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    })
    return { server, release: () => release(), requests: () => requests }
  }

  /** So many turns that the next one is too much. */
  function keepTurns() {
    const turns = Array.from({ length: 20 }, () => [
      { role: 'user', content: 'Does it rain?' },
      { role: 'assistant', content: 'It does.' },
    ]).flat()
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${fileNameOf('converse')}.json`)
    writeFileSync(file, JSON.stringify([['', { summary: '', turns }]]))
  }

  it.each([
    ['a text', [{ payload: 'And tomorrow?' }], 'And tomorrow?'],
    ['a recording', [chunk(0), chunk(1), last], 'input_audio_buffer.append'],
  ])('%s begins another conversation, which waits for it', async (_what, messages, expected) => {
    keepTurns()
    const model = createModel()
    const { server, flow, receive } = await startConverse(
      { ...responding(created, said('It rains.'), done()), server: model.server },
      { keep: true, model: 'svc/models/any', voice: 'Clara' },
    )
    receive({ payload: 'How is the weather?' })
    await flow.waitFor('transcript', 1)
    server.sockets[0]!.send({ type: 'error', error: { code: 'invalid_value', message: 'broken' } })
    await vi.waitFor(() => expect(model.requests()).toBe(1))
    for (const message of messages) receive(message)
    model.release()
    const sent = () => JSON.stringify(server.sockets[1]?.messages ?? [])
    await vi.waitFor(() => expect(sent()).toContain(expected))
    expect(server.sockets[1]!.messages[0]).toMatchObject({
      session: { instructions: expect.stringContaining('They spoke about rain.') },
    })
    // The failure that has ended the first one.
    await flow.waitFor('caught', 1)
    expect(flow.received('caught').length).toBe(1)
  })
})
