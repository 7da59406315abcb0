import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createClient, type RealtimeEvent, type RealtimeSession } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const apiKey = keys.service
let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey, warmUp: false })
})
afterAll(() => service.close())

/** Starts a conversation, and a loop that collects its events. */
function converse(session: RealtimeSession = {}, { baseUrl }: { baseUrl: string } = service) {
  const client = createClient({ baseUrl, apiKey })
  onTestFinished(() => client.close())
  const conversation = client.realtime(session)
  const events: RealtimeEvent[] = []
  const collect = async () => {
    for await (const event of conversation) events.push(event)
  }
  collect().catch(() => {})
  const count = (type: string) => events.filter((event) => event.type === type).length
  const seen = (type: string, times = 1) =>
    vi.waitFor(() => expect(count(type)).toBe(times), { timeout: 60_000, interval: 20 })
  return { conversation, events, seen }
}

/** An address that leads to one service after the other. */
async function openDoor(first: LocalService) {
  let target = first
  const door = createServer((socket) => {
    const inner = connect(Number(new URL(target.baseUrl).port), '127.0.0.1')
    for (const [end, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      end.on('error', () => {})
      end.on('close', () => other.destroy())
      end.pipe(other)
    }
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  onTestFinished(() => void door.close())
  return {
    baseUrl: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    leadTo(next: LocalService) {
      target = next
    },
  }
}

/** What the assistant has said. */
const transcriptsIn = (events: RealtimeEvent[]) =>
  events.flatMap((event) =>
    event.type === 'response.output_audio_transcript.done' ? [event.transcript] : [],
  )

describe('a conversation of the client with the local service', () => {
  it('has speech and its transcript, and only events that the client knows', async () => {
    const { conversation, events, seen } = converse()
    conversation.sendText('Good morning.')
    await seen('response.done')
    expect(transcriptsIn(events)).toEqual([expect.stringContaining('Good morning.')])
    const bytes = events.reduce(
      (total, event) =>
        event.type === 'response.output_audio.delta' ? total + event.audio.length : total,
      0,
    )
    expect(bytes).toBeGreaterThan(24_000)
    expect(events.map(({ type }) => type)).not.toContain('unknown')
    expect(events.map(({ type }) => type)).not.toContain('error')
  })

  it('continues a response with the result of a tool', async () => {
    const tool = { type: 'function' as const, name: 'time', description: 'reports the time' }
    const { conversation, events, seen } = converse({ tools: [tool] })
    conversation.sendText('What time is it?')
    await seen('response.done')
    const call = events.find((event) => event.type === 'response.function_call_arguments.done')
    conversation.sendToolResult(String(call?.call_id), 'ten past four')
    await seen('response.done', 2)
    expect(transcriptsIn(events)).toEqual([expect.stringContaining('ten past four')])
  })

  it('continues after a restart of the service, with the items so far', async () => {
    const before = await startLocalService({ apiKey, warmUp: false })
    onTestFinished(() => before.close())
    const door = await openDoor(before)
    const { conversation, events, seen } = converse({}, door)
    conversation.sendText('Good morning.')
    await seen('response.done')
    door.leadTo(service)
    await before.close()
    await seen('restored')
    const [lost, restored] = ['reconnecting', 'restored'].map((name) =>
      events.find(({ type }) => type === name),
    )
    expect(lost).toBeDefined()
    expect(restored).toEqual({ type: 'restored', items: 2, isResponseLost: false })
    conversation.sendText('Good night.')
    await seen('response.done', 2)
    expect(transcriptsIn(events)).toEqual([
      expect.stringContaining('Good morning.'),
      expect.stringContaining('Good night.'),
    ])
  })

  it('truncates an interrupted response to what was heard', async () => {
    const { conversation, events, seen } = converse()
    conversation.sendText('One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten.')
    await vi.waitFor(() => expect(conversation.unplayedMs).toBeGreaterThan(0), 20_000)
    conversation.interrupt()
    await seen('conversation.item.truncated')
    await seen('response.done')
    const truncated = events.find((event) => event.type === 'conversation.item.truncated')
    const interrupted = events.find((event) => event.type === 'interrupted')
    expect(truncated).toMatchObject({ audio_end_ms: interrupted?.unheard[0]?.heardMs })
    expect(events.find((event) => event.type === 'response.done')).toMatchObject({
      response: { status: 'cancelled' },
    })
  })
})
