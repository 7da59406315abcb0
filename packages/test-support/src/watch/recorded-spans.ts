import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll } from 'vitest'

/** Registers the SDK of OpenTelemetry for the tests of a file. @returns the spans that have ended. */
export function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  beforeAll(() => {
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    // Those that the SDK for Node.js registers.
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
  })
  afterAll(() => {
    trace.disable()
    context.disable()
    propagation.disable()
  })
  return exporter
}
