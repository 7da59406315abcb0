import { realtimeServerEventSchema } from '@parlando/core/wire'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type ListeningServer,
  openServer,
} from '../../../packages/local-service/src/server/http-server.ts'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { damaged } from '../inputs/bytes.ts'
import { anyJson, grown, mutated } from '../inputs/json.ts'

const testApp = useTestApp()
const recogniser = createFakeRecogniser()
const failures: unknown[] = []
let server: ListeningServer
beforeAll(async () => {
  const app = createTestApp(testApp.flite, (error) => failures.push(error), undefined, {
    recognisers: new Map([['fake', recogniser]]),
  })
  server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const textItem = {
  id: 'mine',
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: 'switch the light on' }],
}
const tools = [{ type: 'function', name: 'light', parameters: { type: 'object' } }]
const textOnly = { type: 'session.update', session: { output_modalities: ['text'] } }
const good = [
  { type: 'session.update', session: { instructions: 'Be short', tools, tool_choice: 'auto' } },
  {
    type: 'session.update',
    session: { audio: { input: { turn_detection: null, transcription: { language: 'en' } } } },
  },
  { type: 'input_audio_buffer.append', audio: Buffer.alloc(4800, 7).toString('base64') },
  { type: 'input_audio_buffer.commit', event_id: 'commit' },
  { type: 'input_audio_buffer.clear' },
  { type: 'conversation.item.create', item: textItem, previous_item_id: 'root' },
  { type: 'conversation.item.create', item: { ...textItem, id: undefined } },
  {
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id: 'call', output: 'on' },
  },
  { type: 'conversation.item.retrieve', item_id: 'mine' },
  { type: 'conversation.item.delete', item_id: 'mine' },
  { type: 'conversation.item.truncate', item_id: 'mine', content_index: 0, audio_end_ms: 10 },
  { type: 'response.create', response: { metadata: { a: 'b' }, conversation: 'none', input: [] } },
  { type: 'response.create' },
  { type: 'response.cancel' },
]

const event = fc
  .constantFrom<object>(...good)
  .chain((valid) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(valid).map(toText) },
      { weight: 3, arbitrary: mutated(valid, 1).map(toText) },
      { weight: 1, arbitrary: grown(valid).map(toText) },
      { weight: 1, arbitrary: damaged(toText(valid), 1) },
      { weight: 1, arbitrary: anyJson.map(toText) },
    ),
  )
const conversation = fc.array(event, { maxLength: 12 })

function toText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** Sends the events, then one that has a response of its own, and closes. @returns the events of the service. */
async function converse(events: readonly string[]): Promise<{ received: string[]; code: number }> {
  const url = `${server.baseUrl.replace('http', 'ws')}/v1/realtime`
  const webSocket = new WebSocket(url)
  const received: string[] = []
  webSocket.on('message', (data) => {
    received.push(String(data))
    if (String(data).includes('"item_id":"last"')) webSocket.close(1000)
  })
  webSocket.on('error', () => {})
  webSocket.once('open', () => {
    for (const text of [toText(textOnly), ...events]) {
      webSocket.send(Buffer.from(text, 'latin1'), { binary: false })
    }
    webSocket.send(toText({ type: 'conversation.item.create', item: { ...textItem, id: 'last' } }))
    webSocket.send(toText({ type: 'conversation.item.delete', item_id: 'last' }))
  })
  const code = await new Promise<number>((resolve) => webSocket.once('close', resolve))
  return { received, code }
}

/** What all sessions may leave behind. The voices stay loaded. */
const maxLeftMebibytes = 64

it('a realtime session gets known events for any events, and continues', async () => {
  const before = await heldMebibytes()
  const watchdog = watchEventLoop<readonly string[]>()
  await fuzz(
    conversation,
    async (events) => {
      const { received, code } = await watchdog.watch(events, () => converse(events))
      // 1007: text that is not UTF-8, which the library rejects.
      expect([1000, 1007]).toContain(code)
      for (const text of received) {
        expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
        realtimeServerEventSchema.parse(JSON.parse(text))
      }
      expect(received[0]).toContain('session.created')
    },
    // Fewer than the sessions that a device with one core accepts.
    { lanes: 4, share: 0.2, eventsOf: (events) => events.length },
  )
  expect(failures).toEqual([])
  await expect.poll(() => recogniser.running).toBe(0)
  // The fake keeps each request, with texts of a conversation.
  recogniser.requests.length = 0
  // The last sessions end seconds after their connections, on a busy machine.
  await expect.poll(async () => (await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
  for (const events of watchdog.stop()) {
    const held = await measureHold(() => converse(events))
    expect(held, events.map((text) => text.slice(0, 200)).join('\n')).toBeLessThan(maxHoldMs)
  }
})
