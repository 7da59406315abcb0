import type { CallOptions, Client } from '@parlando/core'
import type { LiveAudio } from '../../sounds/incoming-audio.ts'
import type { Recognised } from './transcript-message.ts'
import type { ListenRequest } from './transcription-request.ts'

/** What happens while somebody speaks. */
export type LiveEvent =
  | { type: 'speechStarted'; startSeconds: number }
  | { type: 'speechStopped'; silenceMs: number }
  /** The text so far. Each one replaces the one before. */
  | { type: 'interim'; text: string }
  /** The text of a turn. `tookMs`: from the end of the speech. */
  | { type: 'final'; recognised: Recognised; tookMs: number }

export interface LiveRequest extends ListenRequest {
  /** The silence that ends a turn. Default: that of the service. `Infinity`: only the end of the audio ends it. */
  silenceMs: number | undefined
}

/** Both limits, so that the silence does not depend on how certain the service is. */
function endOfTurn(silenceMs: number | undefined) {
  if (silenceMs === undefined) return undefined
  if (silenceMs === Number.POSITIVE_INFINITY) return { vadThreshold: 0 }
  return { silenceMs, confidentSilenceMs: silenceMs }
}

/**
 * Transcribes audio while it arrives.
 * @param onChunk called for each chunk that the service has taken.
 */
export async function* transcribeLive(
  client: Client,
  { silenceMs, ...request }: LiveRequest,
  { sampleRateHertz, readChunks }: LiveAudio,
  call: CallOptions & { signal: AbortSignal },
  onChunk: () => void,
): AsyncGenerator<LiveEvent, void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([call.signal, ending.signal])
  const config = { ...request, sampleRateHertz, endOfTurn: endOfTurn(silenceMs) }
  const stream = client.transcribeStream(config, { ...call, signal })
  let silentSince: number | undefined

  const sendAll = async () => {
    for await (const chunk of readChunks(signal)) {
      await stream.write(chunk)
      onChunk()
    }
    silentSince ??= performance.now()
    stream.end()
  }
  // A failure of the audio, such as a missing chunk, also ends the loop below.
  const sending = sendAll().catch((error: unknown) => {
    ending.abort(error)
    throw error
  })
  sending.catch(() => {})

  try {
    for await (const event of stream) {
      if (event.type === 'speechStarted') {
        silentSince = undefined
        yield { type: event.type, startSeconds: event.startMs / 1000 }
      } else if (event.type === 'speechStopped') {
        silentSince ??= performance.now() - event.silenceMs
        yield { type: event.type, silenceMs: event.silenceMs }
      } else if (event.type === 'interim') {
        yield { type: event.type, text: event.text }
      } else if (event.type === 'final') {
        const { type, ...recognised } = event
        const tookMs = performance.now() - (silentSince ?? performance.now())
        silentSince = undefined
        yield { type, recognised, tookMs }
      }
    }
    await sending
  } finally {
    ending.abort()
  }
}
