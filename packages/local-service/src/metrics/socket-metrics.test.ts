import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it, vi } from 'vitest'
import { createVoiceList } from '../voices/voice-list.ts'
import { createMetrics } from './service-metrics.ts'
import { countRealtimeEvent, createSocketCounts } from './socket-metrics.ts'

async function open() {
  const engine = createFakeEngine()
  const metrics = createMetrics({
    engines: new Map([['flite', engine]]),
    voiceList: createVoiceList(),
  })
  const recognisers = new Map([['fake', createFakeRecogniser()]])
  const fail = (error: unknown) => {
    throw error
  }
  const { fetch } = createTestApp(engine, fail, undefined, { metrics, recognisers })
  const { baseUrl } = await openTestServer({ fetch })
  const readsMetrics = (...lines: string[]) =>
    vi.waitFor(
      async () => {
        const { text } = await metrics.write()
        for (const line of lines) expect(text.split('\n')).toContain(line)
      },
      { timeout: 30_000 },
    )
  return { baseUrl, readsMetrics }
}

it('the metrics count the contexts of speech sockets and the open sockets', async () => {
  const { baseUrl, readsMetrics } = await open()
  const path = '/tts/v1/voice:streamBidirectional'
  const client = await connectSocket(baseUrl, path)
  const create = { voiceId: 'Clara', modelId: 'svc-tts-2' }
  client.send({ create, contextId: 'a' }, { create, contextId: 'b' })
  await readsMetrics(
    `parlando_open_sockets{route="${path}"} 1`,
    'parlando_speech_contexts_total{model="svc-tts-2"} 2',
  )
  client.webSocket.terminate()
  await readsMetrics(`parlando_open_sockets{route="${path}"} 0`)
})

it('the metrics count the turns and the responses of conversations', async () => {
  const { baseUrl, readsMetrics } = await open()
  const client = await connectSocket(baseUrl, '/v1/realtime')
  const input = { turn_detection: null }
  const session = { audio: { input }, output_modalities: ['text'] }
  const audio = Buffer.alloc(4800).toString('base64')
  client.send(
    { type: 'session.update', session },
    { type: 'input_audio_buffer.append', audio },
    { type: 'input_audio_buffer.commit' },
    { type: 'response.create' },
  )
  await readsMetrics(
    'parlando_open_sockets{route="/v1/realtime"} 1',
    'parlando_realtime_sessions 1',
    'parlando_realtime_turns_total 1',
    'parlando_realtime_responses_total{status="completed"} 1',
    'parlando_realtime_interruptions_total 0',
  )
  client.webSocket.terminate()
  await readsMetrics('parlando_realtime_sessions 0')
})

it('a response that the user interrupts counts as an interruption, and one that the client cancels does not', () => {
  const counts = createSocketCounts()
  for (const reason of ['turn_detected', 'client_cancelled']) {
    const response = { id: 'r', status: 'cancelled', status_details: { type: 'cancelled', reason } }
    countRealtimeEvent(counts, { type: 'response.done', response })
  }
  expect(counts.interruptions).toBe(1)
  expect(counts.responses).toEqual(new Map([['cancelled', 2]]))
})
