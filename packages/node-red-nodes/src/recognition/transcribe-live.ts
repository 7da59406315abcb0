import type { CallOptions, Client, TranscriptionEvent, TranscriptionRequest } from '@parlando/core'
import type { LiveAudio } from '../sounds/to-recognise/recording-collector.ts'

/** The part of a request that recordings and live audio have in common. */
export type ListenRequest = Pick<
  TranscriptionRequest,
  'modelId' | 'language' | 'prompts' | 'sentences' | 'wordTimestamps'
>

export interface LiveRequest extends ListenRequest {
  /** The silence that ends a turn. Default: that of the service. `Infinity`: only the end of the audio ends it. */
  silenceMs: number | undefined
  /** The silence that ends a turn that sounds complete. Default: it does not matter how a turn sounds. */
  completeSilenceMs?: number | undefined
}

export interface LiveTranscription {
  request: LiveRequest
  audio: LiveAudio
  call: CallOptions & { signal: AbortSignal }
  /** Called for each chunk that the service has taken, and when speech starts or ends. */
  onProgress(progress: 'listening' | 'recognising'): void
}

function endOfTurn({ silenceMs, completeSilenceMs }: LiveRequest) {
  if (silenceMs === undefined) return undefined
  if (silenceMs === Number.POSITIVE_INFINITY) return { vadThreshold: 0 }
  return { silenceMs, confidentSilenceMs: completeSilenceMs }
}

/**
 * Transcribes audio while it arrives.
 * @returns what the service reports; `tookMs` is the time since the end of the speech.
 */
export async function* transcribeLive(
  client: Client,
  { request: given, audio, call, onProgress }: LiveTranscription,
): AsyncGenerator<{ event: TranscriptionEvent; tookMs: number }, void> {
  const { silenceMs, completeSilenceMs, ...request } = given
  const { sampleRateHertz, readChunks } = audio
  const ending = new AbortController()
  const signal = AbortSignal.any([call.signal, ending.signal])
  const config = { ...request, sampleRateHertz, endOfTurn: endOfTurn(given) }
  const stream = client.transcribeStream(config, { ...call, signal })
  let silentSince: number | undefined
  const report = () => onProgress(silentSince === undefined ? 'listening' : 'recognising')

  const sendAll = async () => {
    for await (const chunk of readChunks(signal)) {
      await stream.write(chunk)
      report()
    }
    silentSince ??= performance.now()
    report()
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
      const now = performance.now()
      if (event.type === 'speechStopped') silentSince ??= now - event.silenceMs
      const tookMs = now - (silentSince ?? now)
      if (event.type === 'speechStarted' || event.type === 'final') silentSince = undefined
      if (event.type === 'speechStarted' || event.type === 'speechStopped') report()
      yield { event, tookMs }
    }
    await sending
  } finally {
    ending.abort()
  }
}
