import { ServiceError } from '../../errors.ts'
import type { AbortResponse } from '../../http/abort-response.ts'

const newline = 0x0a
// One of these ends every answer in events. In what a model writes, the quotes would be escaped and the line ends too.
const endings = /\ndata: ?\[DONE\]|"finish_reason"\s*:\s*"|"error"\s*:\s*[{"]/
// More than is known of an ending that is cut in two.
const heldCharacters = 64

/**
 * The answer of another server, byte for byte as it arrives; as slow as its reader, and given up when that goes away.
 * Where events break off or end too early, the last one says so; where that has no place, the connection breaks off.
 */
export function passBody(
  answer: Response,
  baseUrl: string,
  abortResponse: AbortResponse,
): ReadableStream<Uint8Array> {
  const reader = answer.body!.getReader()
  const isEvents = /^text\/event-stream/i.test(answer.headers.get('content-type') ?? '')
  let lastByte = newline
  let held = '\n'
  let hasEnding = !isEvents

  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, what: string) => {
    const message = `The server of the language models, ${baseUrl}, ${what}`
    const error = new ServiceError('UNAVAILABLE', message)
    // After half a line, anything more would be read as the rest of it.
    if (!isEvents || lastByte !== newline) return abortResponse(controller, error)
    const data = JSON.stringify(error.openAiBody)
    controller.enqueue(Buffer.from(`\ndata: ${data}\n\n`))
    controller.close()
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done && hasEnding) return controller.close()
          if (done) return fail(controller, 'ended its answer too early')
          lastByte = value.at(-1) ?? lastByte
          if (!hasEnding) {
            held += Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')
            hasEnding = endings.test(held)
            held = held.slice(-heldCharacters)
          }
          controller.enqueue(value)
        } catch {
          fail(controller, 'broke off its answer')
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}
