import type {
  Client,
  SpeechChunk,
  SpeechContext,
  SpeechRequest,
  SpeechSocket,
  SpeechStream,
} from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { withinTime } from '../../runtime/wait.ts'

/** What is known of speech while it arrives. */
const facts = [
  'encoding',
  'mediaType',
  'sampleRateHertz',
  'usage',
  'warnings',
  'firstAudioMs',
] as const

/** Speech while it arrives. */
export type Speech = AsyncIterable<SpeechChunk> & Pick<SpeechStream, (typeof facts)[number]>

export interface SpeechCall {
  signal: AbortSignal
  onRetry(): void
}

/** A socket that takes longer to open saves no time. */
const openingLimitMs = 1000

/** The sockets of the clients, which close them. */
const sockets = new WeakMap<Client, SpeechSocket | 'unsupported'>()

/**
 * Speaks a text of a sequence, such as a sentence of an answer, through a connection that all of them share. Where the
 * service has no such connection, or it fails before the first audio, a request speaks the text: its retries and
 * its errors are those of every other text.
 */
export function speakPart(client: Client, request: SpeechRequest, call: SpeechCall): Speech {
  let speech: Speech = client.synthesizeStream(request, call)
  const requested = speech
  async function* chunks(): AsyncGenerator<SpeechChunk, void> {
    const context = await createContext(client, request, call.signal)
    if (context) {
      try {
        for await (const chunk of context) {
          speech = context
          yield chunk
        }
      } catch (error) {
        if (speech === context || call.signal.aborted) throw error
      }
      if (speech === context) return
    }
    yield* requested
  }
  const current = facts.map((name) => [name, { get: () => speech[name] }])
  const iterable: AsyncIterable<SpeechChunk> = { [Symbol.asyncIterator]: chunks }
  return Object.defineProperties(iterable, Object.fromEntries(current)) as Speech
}

/** @returns nothing where a request has to speak the text. */
async function createContext(
  client: Client,
  { text, ...settings }: SpeechRequest,
  signal: AbortSignal,
): Promise<SpeechContext | undefined> {
  const socket = await findSocket(client)
  signal.throwIfAborted()
  if (!socket || socket.freeContexts === 0) return undefined
  try {
    const context = socket.context(settings, { signal })
    context.write(text)
    context.end()
    return context
  } catch {
    // The socket has fewer settings than a request. The request reports settings that are not valid.
    return undefined
  }
}

async function findSocket(client: Client): Promise<SpeechSocket | undefined> {
  const known = sockets.get(client)
  if (known === 'unsupported') return undefined
  if (known?.isOpen && known.requestId) return known
  const socket = known?.isOpen ? known : client.speechSocket({ maxRetries: 0 })
  sockets.set(client, socket)
  const opened = socket.opened().then(
    () => true,
    (error) => {
      // Such as 404. A lost connection may be there again for the next text.
      const isFinal = ParlandoError.isInstance(error) && !error.retryable
      if (isFinal) sockets.set(client, 'unsupported')
      return false
    },
  )
  const isOpen = await withinTime(openingLimitMs, opened, () => undefined).catch(() => false)
  return isOpen ? socket : undefined
}
