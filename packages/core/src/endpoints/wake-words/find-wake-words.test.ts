import { startTestServer } from '@parlando/test-support/servers/test-server'
import {
  pcm,
  receivedAudio,
  sending,
  startTranscription,
} from '@parlando/test-support/servers/transcription-server'
import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../../client.ts'
import type { WakeWordEvent } from './find-wake-words.ts'

describe('findWakeWords', () => {
  it('sends the config and the audio, and yields what the service reports', async () => {
    const { server, client } = await startTranscription({
      onMessage(socket, message) {
        if (message['wakeWordConfig']) {
          socket.send({ result: { waiting: { modelId: 'm', phrases: ['hey house'] } } })
        }
        if (!message['closeStream']) return
        socket.send({ result: { detection: { phrase: 'hey house', score: 0.7, endTimeMs: 812 } } })
        socket.send({
          result: { detection: { phrase: 'hey house', endTimeMs: '99', isFirst: false } },
        })
        socket.send({ result: { mood: 'good' } })
        socket.webSocket.close(1000)
      },
    })
    const stream = client.findWakeWords({ phrases: ['hey house'], sensitivity: 0.3 })
    await stream.write(pcm(5))
    await stream.write(pcm(3))
    stream.end()
    const events: WakeWordEvent[] = []
    for await (const event of stream) events.push(event)
    expect(events).toEqual([
      { type: 'waiting', modelId: 'm', phrases: ['hey house'], isRough: false },
      { type: 'detection', phrase: 'hey house', score: 0.7, endMs: 812, isFirst: true },
      { type: 'detection', phrase: 'hey house', endMs: 99, isFirst: false },
      { type: 'unknown', result: { mood: 'good' } },
    ])
    const [socket] = server.sockets
    expect(socket!.messages[0]).toEqual({
      wakeWordConfig: { phrases: ['hey house'], sensitivity: 0.3 },
    })
    expect(receivedAudio(socket!)).toHaveLength(8)
  })

  it('rejects the loop and later writes with the error of the service', async () => {
    const { client } = await startTranscription(
      sending({ error: { code: 12, message: 'No wake word detector is installed' } }),
    )
    const stream = client.findWakeWords()
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toMatchObject({ code: 'UNIMPLEMENTED' })
    await expect(stream.write(pcm(2))).rejects.toMatchObject({ code: 'UNIMPLEMENTED' })
  })

  it('closes its connection when the loop is left', async () => {
    const waiting = { modelId: 'm', phrases: [] }
    const { server, client } = await startTranscription(sending({ result: { waiting } }))
    for await (const { type } of client.findWakeWords()) {
      expect(type).toBe('waiting')
      break
    }
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('rejects an invalid config before any I/O', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9' })
    expect(() => client.findWakeWords({ sensitivity: 2 })).toThrow(/sensitivity/)
    expect(() => client.findWakeWords({ phrases: [' '] })).toThrow(/must not be empty/)
  })
})

it('listWakeWordModels returns the models', async () => {
  const model = { modelId: 'sherpa/small', phrases: ['hello'], mood: 'good' }
  const server = await startTestServer((response) => {
    response.end(JSON.stringify({ models: [model] }))
  })
  const client = createClient({ baseUrl: server.baseUrl })
  expect(await client.listWakeWordModels()).toMatchObject({ models: [model] })
  expect(server.requests).toMatchObject([{ method: 'GET', url: '/stt/v1/wakeWordModels' }])
})
