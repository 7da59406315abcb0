import { createMessageLimit } from './message-limit.ts'

/** Does what `fetch` does, but a response is a message with its limits. */
export async function limitedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  if (!response.body) return response
  const check = createMessageLimit()
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      check(chunk)
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
}
