// Loaded into a program with `--import`: prints every span of OpenTelemetry to the standard error output, as a line of JSON.
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

const exporter = {
  export(spans, done) {
    for (const { name, attributes, events, status } of spans) {
      process.stderr.write(`${JSON.stringify({ span: { name, attributes, events, status } })}\n`)
    }
    done({ code: 0 })
  },
  async forceFlush() {},
  async shutdown() {},
}
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
