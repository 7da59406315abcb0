import { channel } from 'node:diagnostics_channel'
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { failureOf, openStream, readAll } from '@parlando/test-support/servers/client-failure'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { recordSpans } from '@parlando/test-support/watch/recorded-spans'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../client.ts'

recordSpans()

/** Lists voices inside a span. @returns the span, and the headers that the service has received. */
async function callInSpan(headers: Record<string, string> = {}) {
  const server = await startTestServer((response) => void response.end('{"voices":[]}'))
  const client = createClient({ baseUrl: server.baseUrl })
  onTestFinished(() => client.close())
  const span = trace.getTracer('test').startSpan('flow')
  const baggage = propagation.createBaggage({ name: { value: 'Ada' } })
  const inSpan = propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, span), baggage)
  await context.with(inSpan, () => client.listVoices({}, { headers }))
  span.end()
  const { traceId, spanId } = span.spanContext()
  return { traceparent: `00-${traceId}-${spanId}-01`, received: server.requests[0]!.headers }
}

it('a request inside a span carries its traceparent, and no baggage', async () => {
  const { traceparent, received } = await callInSpan()
  expect(received).toMatchObject({ traceparent })
  expect(received).not.toHaveProperty('baggage')
})

it('the handshake of a socket carries it too', async () => {
  const server = await startSocketServer({ onOpen: ({ webSocket }) => webSocket.close(1000) })
  const span = trace.getTracer('test').startSpan('flow')
  await context.with(trace.setSpan(ROOT_CONTEXT, span), () =>
    // The server closes the socket at once.
    failureOf(readAll(openStream(server.baseUrl))),
  )
  span.end()
  expect(server.sockets[0]!.headers.traceparent).toContain(span.spanContext().spanId)
})

it('the header of a caller takes precedence', async () => {
  const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
  const { received } = await callInSpan({ traceparent })
  expect(received).toMatchObject({ traceparent })
})

it('an instrumentation of undici sends the header itself', async () => {
  const requests = channel('undici:request:create')
  const onRequest = () => {}
  requests.subscribe(onRequest)
  onTestFinished(() => void requests.unsubscribe(onRequest))
  const { received } = await callInSpan()
  expect(received).not.toHaveProperty('traceparent')
})

it('a request outside of spans carries no header', async () => {
  const server = await startTestServer((response) => void response.end('{"voices":[]}'))
  const client = createClient({ baseUrl: server.baseUrl })
  onTestFinished(() => client.close())
  await client.listVoices()
  expect(server.requests[0]!.headers).not.toHaveProperty('traceparent')
})
