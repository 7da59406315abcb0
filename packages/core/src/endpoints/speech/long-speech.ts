import type { AudioJoiner } from '../../audio/audio-joiner.ts'
import { createDurationMeter, type DurationMeter } from '../../audio/duration.ts'
import type { Call } from '../../http/call.ts'
import { anySignal } from '../../http/signals.ts'
import type { AudioEncoding } from '../../wire/audio-config.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { joinStreams, type PieceStream } from './joined-stream.ts'
import { requestedFormat } from './request.ts'
import { type SpeechChunk, type SpeechStream, streamSpeech, toReadableStream } from './stream.ts'
import { shiftTimestamps } from './timestamps.ts'

type PieceChunk = SpeechChunk & { piece: number }

/**
 * Several requests as one utterance: one file, one usage, and times that count from the start of the whole.
 * @param joiner what makes the chunks of all pieces one file.
 */
export function streamLongSpeech(
  context: EndpointContext,
  pieces: readonly SpeechRequest[],
  joiner: AudioJoiner,
  call: Call,
): SpeechStream {
  const format = requestedFormat(pieces[0]!)
  const streams: SpeechStream[] = []
  const joined = joinStreams<PieceChunk>(
    pieces.map((body, piece) => (pieceSignal) => {
      const asItCame = { push: (chunk: Uint8Array) => chunk, sampleRateHertz: 0 }
      const signal = anySignal(call.signal, pieceSignal)
      const stream = streamSpeech(context, body, asItCame, { ...call, signal })
      streams[piece] = stream
      return withPiece(stream, piece)
    }),
  )

  const iterate = (): AsyncIterator<SpeechChunk, undefined> => {
    const chunks = joined[Symbol.asyncIterator]()
    const toWhole = createPlacing(joiner, format.encoding)
    return {
      async next() {
        for (;;) {
          const { done, value } = await chunks.next()
          if (done) return { done, value: undefined }
          if (call.signal?.aborted) {
            await chunks.return()
            // Who ends a call wants to hear nothing more, nor what has come already.
            throw call.signal.reason
          }
          const chunk = toWhole(value)
          if (chunk) return { done: false, value: chunk }
        }
      },
      // A generator around it would first wait for the chunk that is being waited for.
      return: () => chunks.return(),
    }
  }

  return {
    encoding: format.encoding,
    mediaType: format.mediaType,
    get sampleRateHertz() {
      return joiner.sampleRateHertz
    },
    get usage() {
      return joined.usage
    },
    get firstAudioMs() {
      return joined.firstAudioMs
    },
    get requestId() {
      return streams[0]?.requestId
    },
    [Symbol.asyncIterator]: iterate,
    async consume(onChunk) {
      for await (const chunk of { [Symbol.asyncIterator]: iterate }) onChunk(chunk)
    },
    toReadableStream: () => toReadableStream(iterate()),
  }
}

/** Gives each chunk of a piece its place in the whole; nothing where nothing is left of it. */
function createPlacing(
  joiner: AudioJoiner,
  encoding: AudioEncoding,
): (chunk: PieceChunk) => SpeechChunk | undefined {
  let meter: DurationMeter | undefined
  let piece = 0
  let pieceStartSeconds = 0
  return (chunk) => {
    if (chunk.piece !== piece) {
      piece = chunk.piece
      pieceStartSeconds = meter?.seconds ?? 0
    }
    const audio = joiner.push(chunk.audio)
    meter ??= createDurationMeter(encoding, joiner.sampleRateHertz)
    meter.push(audio)
    const { timestamps } = chunk
    if (timestamps) return { audio, timestamps: shiftTimestamps(timestamps, pieceStartSeconds) }
    return audio.length > 0 ? { audio } : undefined
  }
}

function withPiece(stream: SpeechStream, piece: number): PieceStream<PieceChunk> {
  return {
    get usage() {
      return stream.usage
    },
    get firstAudioMs() {
      return stream.firstAudioMs
    },
    async *[Symbol.asyncIterator]() {
      for await (const chunk of stream) yield { ...chunk, piece }
    },
  }
}
