import { setTimeout as delay } from 'node:timers/promises'
import {
  created,
  done,
  responding,
  said,
  sentOf,
  speech,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import type { Message } from '@parlando/test-support/node-red/runtime'
import { describe, expect, it, vi } from 'vitest'
import { reportPlaybackStart } from '../../playback/playback-starts.ts'

const { startConverse } = useConverse()

const speechStarted = {
  type: 'input_audio_buffer.speech_started',
  item_id: 'u1',
  audio_start_ms: 0,
}

describe('a sound of the user during a response', () => {
  const stopped = { type: 'input_audio_buffer.speech_stopped', item_id: 'u1', audio_end_ms: 0 }
  const understood = (transcript: string) => ({
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: 'u1',
    content_index: 0,
    transcript,
  })

  it('stops the player, and discards the response if it has words', async () => {
    const { server, flow, receive } = await startConverse(responding(created, speech(60_000)))
    receive({ payload: 'Hello' })
    await flow.waitFor('out', 1)
    const [socket] = server.sockets
    socket!.send(speechStarted)
    const [, last, stop] = await flow.waitFor('out', 3)
    expect(last).toMatchObject({ complete: true, interrupted: true })
    expect(stop).toMatchObject({ stop: true })
    expect(sentOf(socket, 'conversation.item.truncate')).toEqual([])
    for (const event of [stopped, understood('Stop that.')]) socket!.send(event)
    await vi.waitFor(() => expect(sentOf(socket, 'conversation.item.truncate').length).toBe(1))
    await flow.waitFor('transcript', 1)
    expect(flow.received('out').length).toBe(3)
  })

  it('was heard only from the time at which the speaker began', async () => {
    const { server, flow, receive } = await startConverse(responding(created, speech(60_000)))
    receive({ payload: 'Hello' })
    const [first] = await flow.waitFor('out', 1)
    // A slow speaker.
    await delay(100)
    const startedAt = performance.now()
    reportPlaybackStart((first!['parts'] as { id: string }).id, [])
    const [socket] = server.sockets
    for (const event of [speechStarted, stopped, understood('Stop that.')]) socket!.send(event)
    const [truncation] = await vi.waitUntil(() => {
      const sent = sentOf(socket, 'conversation.item.truncate')
      return sent.length > 0 && sent
    })
    const { audio_end_ms: heardMs } = truncation as { audio_end_ms: number }
    expect(heardMs).toBeLessThanOrEqual(performance.now() - startedAt)
  })

  it('without words ends the break: the rest of the response follows as another sound', async () => {
    const { server, flow, receive } = await startConverse(
      responding(created, speech(60_000), said('A long story.'), done()),
    )
    receive({ payload: 'Hello' })
    const [first] = await flow.waitFor('out', 2)
    const [socket] = server.sockets
    for (const event of [speechStarted, stopped, understood('')]) socket!.send(event)
    const [, , stop, rest, last] = await flow.waitFor('out', 5)
    expect(stop).toMatchObject({ stop: true })
    expect(rest).toMatchObject({ parts: { index: 0 } })
    expect(rest!['parts']).not.toMatchObject({ id: (first!['parts'] as { id: string }).id })
    const length = (message?: Message) => (message!['payload'] as Buffer).length
    expect(length(rest)).toBeGreaterThan(0)
    expect(length(rest)).toBeLessThan(length(first))
    expect(last).toMatchObject({ complete: true })
    expect(last).not.toHaveProperty('interrupted')
    expect(sentOf(socket, 'conversation.item.truncate')).toEqual([])
  })
})
