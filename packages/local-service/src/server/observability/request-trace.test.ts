import { SpanKind } from '@opentelemetry/api'
import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import { recordSpans } from '@parlando/test-support/watch/recorded-spans'
import { beforeEach, expect, it, vi } from 'vitest'

const recorded = recordSpans()
const testApp = useTestApp()
const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${callerSpanId}-01`

beforeEach(() => recorded.reset())

async function endedSpans(count: number) {
  return vi.waitFor(() => {
    const spans = recorded.getFinishedSpans()
    expect(spans).toHaveLength(count)
    const request = spans.find(({ kind }) => kind === SpanKind.SERVER)!
    return { request, phrases: spans.filter((span) => span !== request) }
  })
}

it('a streamed request is a span of the caller’s trace, with a span for each phrase', async () => {
  const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
  const text = `${speechRequest.text} ${'The kettle has boiled and the bread is warm. '.repeat(8)}`
  const response = await fetch(`${baseUrl}/tts/v1/voice:stream`, {
    method: 'POST',
    headers: { traceparent },
    body: JSON.stringify({ ...speechRequest, text }),
  })
  await response.text()
  const { request, phrases } = await vi.waitFor(async () => {
    const ended = recorded.getFinishedSpans()
    expect(ended.some(({ kind }) => kind === SpanKind.SERVER)).toBe(true)
    return endedSpans(ended.length)
  })
  expect(request.name).toBe('POST /tts/v1/voice:stream')
  expect(request.spanContext().traceId).toBe(traceId)
  expect(request.parentSpanContext?.spanId).toBe(callerSpanId)
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/tts/v1/voice:stream',
    'http.response.status_code': 200,
    'gen_ai.output.type': 'speech',
    'gen_ai.request.model': 'svc-tts-2',
    'parlando.voice': 'Clara',
    'parlando.characters': text.length,
  })
  expect(request.events.map(({ name }) => name)).toEqual(['parlando.first_audio'])
  expect(phrases.length).toBeGreaterThan(2)
  for (const phrase of phrases) {
    expect(phrase.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
    expect(phrase.attributes).toMatchObject({ 'parlando.engine': 'flite' })
    expect(phrase.events.map(({ name }) => name)).toEqual(['parlando.speaking'])
  }
  expect(phrases.filter(({ attributes }) => attributes['parlando.phrase.is_first'])).toHaveLength(1)
  expect(
    JSON.stringify(recorded.getFinishedSpans().map(({ attributes }) => attributes)),
  ).not.toContain('kettle')
})

it('a request without traceparent begins a trace, and an unknown path gets no route', async () => {
  await testApp.app.request('/no/such/path')
  const { request } = await endedSpans(1)
  expect(request.name).toBe('GET')
  expect(request.parentSpanContext).toBeUndefined()
  expect(request.attributes).not.toHaveProperty(['http.route'])
  expect(request.attributes).toMatchObject({ 'http.response.status_code': 404 })
})

it('a text on a socket is a span of its own within that of the socket, with a span for each phrase', async () => {
  const { baseUrl } = await openTestServer({ fetch: testApp.app.fetch })
  const client = await connectSocket(baseUrl, '/tts/v1/voice:streamBidirectional')
  client.send({ create: { voiceId: 'Clara', modelId: 'svc-tts-2' }, contextId: 'a' })
  for (const text of ['The door is open.', 'The kettle has boiled.']) {
    client.send({ sendText: { text, flushContext: {} }, contextId: 'a' })
  }
  client.send({ closeContext: {}, contextId: 'a' })
  const texts = await vi.waitFor(() => {
    const ended = recorded.getFinishedSpans().filter(({ name }) => name === 'speak text')
    expect(ended).toHaveLength(2)
    return ended
  }, 20_000)
  client.webSocket.terminate()
  const socket = await vi.waitFor(() => {
    const ended = recorded.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER)
    expect(ended).toBeDefined()
    return ended!
  })
  const phrases = recorded.getFinishedSpans().filter(({ name }) => name === 'speak phrase')
  for (const text of texts) {
    expect(text.parentSpanContext?.spanId).toBe(socket.spanContext().spanId)
    expect(text.attributes).toMatchObject({
      'gen_ai.request.model': 'svc-tts-2',
      'parlando.voice': 'Clara',
      'parlando.audio_seconds': expect.any(Number),
    })
    expect(text.events.map(({ name }) => name)).toEqual(['parlando.first_audio'])
    const { spanId } = text.spanContext()
    expect(
      phrases.filter(({ parentSpanContext: parent }) => parent?.spanId === spanId),
    ).not.toEqual([])
  }
  expect(JSON.stringify(texts.map(({ attributes }) => attributes))).not.toContain('kettle')
})
