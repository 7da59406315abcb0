import type {
  Client,
  SpeechChunk,
  SpeechContext,
  SpeechRequest,
  SpeechSocket,
} from '@parlando/core'
import { ParlandoError } from '@parlando/core/errors'
import { speechWithChunks } from '../../runtime/speech/speech-with-chunks.ts'
import type { ServiceCall, Speech } from '../../runtime/speech-service.ts'
import { withinTime } from '../../runtime/wait.ts'

/** A socket that takes longer to open saves no time. */
const openingLimitMs = 1000

interface KnownSocket {
  socket: SpeechSocket
  /** Whether it has opened. */
  opened: Promise<boolean>
  /** It, or the one before it, has not opened in time, as behind a proxy without WebSockets. No text waits for it. */
  isSlow: boolean
}

/** The sockets of the clients, which close them. */
const sockets = new WeakMap<Client, KnownSocket | 'unsupported'>()

/**
 * Speaks a text of a sequence, such as a sentence of an answer, through a connection that all of them share. Where the
 * service has no such connection, or it fails before the first audio, a request speaks the text: its retries and
 * its errors are those of every other text.
 */
export function speakPart(client: Client, request: SpeechRequest, call: ServiceCall): Speech {
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
  return speechWithChunks(() => speech, chunks)
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
  const current = known?.socket.isOpen ? known : openSocket(client, known?.isSlow ?? false)
  if (current.socket.requestId) return current.socket
  if (current.isSlow) return undefined
  const isOpen = await withinTime(openingLimitMs, current.opened, () => undefined).catch(() => {
    current.isSlow = true
    return false
  })
  return isOpen ? current.socket : undefined
}

function openSocket(client: Client, isSlow: boolean): KnownSocket {
  const socket = client.speechSocket({ maxRetries: 0 })
  const opened = socket.opened().then(
    () => {
      known.isSlow = false
      return true
    },
    (error) => {
      // Such as 404. A lost connection may be there again for the next text.
      const isFinal = ParlandoError.isInstance(error) && !error.retryable
      if (isFinal) sockets.set(client, 'unsupported')
      return false
    },
  )
  const known: KnownSocket = { socket, opened, isSlow }
  sockets.set(client, known)
  return known
}
