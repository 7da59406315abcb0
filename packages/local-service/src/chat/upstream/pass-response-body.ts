import { ServiceError } from '../../errors/service-error.ts'
import type { AbortResponse } from '../../server/responses/stream-response.ts'
import type { KeyRedactor } from './redact-key.ts'

const newline = 0x0a
// Every complete event stream contains one of these. In the text of a model, quotes and line ends are escaped.
const endings = /\ndata: ?\[DONE\]|"finish_reason"\s*:\s*"|"error"\s*:\s*[{"]/
// Longer than any ending, to find one that is split between two chunks.
const searchedCharacters = 64

/**
 * Passes the body of an upstream response on at the pace of the reader; cancels it when the reader cancels. Every byte stays
 * the same, except in a key that the upstream repeats. If events break off or end too early, appends an error event or, inside a line, closes the connection.
 */
export function passResponseBody(
  response: Response,
  { subject, redactor }: { subject: string; redactor: KeyRedactor },
  abortResponse: AbortResponse,
): ReadableStream<Uint8Array> {
  const reader = response.body!.getReader()
  const isEvents = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')
  let lastByte = newline
  let searched = '\n'
  const redacting = redactor.createStream()
  let hasEnding = !isEvents

  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, problem: string) => {
    const error = new ServiceError('UNAVAILABLE', `${subject} ${problem}`)
    // After a partial line, the client would read an event as the rest of that line.
    if (!isEvents || lastByte !== newline) return abortResponse(controller, error)
    const data = JSON.stringify(error.openAiBody)
    controller.enqueue(Buffer.from(`\ndata: ${data}\n\n`))
    controller.close()
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = await reader.read()
            if (done && !hasEnding) return fail(controller, 'ended its response too early')
            if (done) {
              enqueue(controller, redacting.end())
              return controller.close()
            }
            lastByte = value.at(-1) ?? lastByte
            // Latin-1 maps every byte to one character, so no byte changes.
            const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString(
              'latin1',
            )
            if (!hasEnding) {
              searched = searched.slice(-searchedCharacters) + text
              hasEnding = endings.test(searched)
            }
            if (enqueue(controller, redacting.push(text))) return
          }
        } catch {
          fail(controller, 'broke off its response')
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  )
}

/** @returns whether there was anything to send. */
function enqueue(controller: ReadableStreamDefaultController<Uint8Array>, text: string): boolean {
  if (text !== '') controller.enqueue(Buffer.from(text, 'latin1'))
  return text !== ''
}
