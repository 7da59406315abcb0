import { channel } from 'node:diagnostics_channel'

/** What `@opentelemetry/api` registers with. As long as nothing has registered, the package is not even loaded. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** An instrumentation of undici sends these headers itself, and a second `traceparent` would make both invalid. */
const undiciRequests = channel('undici:request:create')

// https://www.w3.org/TR/trace-context/. Baggage stays here: it may contain anything, and the service may be foreign.
const sentHeaders = ['traceparent', 'tracestate']

/** @returns the headers with which the service continues the trace of the caller; none where no span is active. */
export async function traceHeaders(): Promise<Record<string, string>> {
  if (!(registered in globalThis) || undiciRequests.hasSubscribers) return {}
  const api = await import('@opentelemetry/api').catch(() => undefined)
  const headers: Record<string, string> = {}
  api?.propagation.inject(api.context.active(), headers)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => sentHeaders.includes(name)))
}
