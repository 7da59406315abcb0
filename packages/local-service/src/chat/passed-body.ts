import { Refusal } from '../refusal.ts'
import type { BreakOff } from '../routes/break-off.ts'

const newline = 0x0a

/**
 * The answer of another server, byte for byte as it arrives; as slow as its reader, and given up when that goes away.
 * Where events break off, the last one says so; where that has no place, the connection breaks off too.
 */
export function passBody(
  answer: Response,
  baseUrl: string,
  breakOff: BreakOff,
): ReadableStream<Uint8Array> {
  const reader = answer.body!.getReader()
  const isEvents = /^text\/event-stream/i.test(answer.headers.get('content-type') ?? '')
  let lastByte = newline
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          lastByte = value.at(-1) ?? lastByte
          controller.enqueue(value)
        } catch {
          const message = `The server of the language models, ${baseUrl}, broke off its answer`
          const refusal = new Refusal('UNAVAILABLE', message)
          // After half a line, anything more would be read as the rest of it.
          if (!isEvents || lastByte !== newline) return breakOff(controller, refusal)
          const data = JSON.stringify(refusal.openAiBody)
          controller.enqueue(Buffer.from(`\ndata: ${data}\n\n`))
          controller.close()
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}
