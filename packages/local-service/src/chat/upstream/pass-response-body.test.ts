import { expect, it } from 'vitest'
import { passResponseBody } from './pass-response-body.ts'
import { createKeyRedactor } from './redact-key.ts'

it('reads the upstream body only as fast as its own reader reads, and cancels it when the reader cancels', async () => {
  let pulls = 0
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1
        controller.enqueue(Buffer.from('on and on'))
      },
      cancel() {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const upstream = { subject: 'The server', redactor: createKeyRedactor('') }
  const reader = passResponseBody(new Response(endless), upstream, () => {}).getReader()
  for (let count = 1; count <= 3; count++) {
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('on and on')
    expect(pulls).toBe(count)
  }
  await reader.cancel()
  expect(isCancelled).toBe(true)
})
