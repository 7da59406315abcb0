import type { AudioJoiner } from '../../audio/audio-joiner.ts'
import { InputError, ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { createQueue } from '../../streams/queue.ts'
import type { Sink } from '../../streams/sink.ts'
import type { SpeechRequest } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { startSpeech } from './attempts.ts'
import { type AudioFormat, requestedFormat } from './request.ts'
import { readTimestamps, type Timestamps } from './timestamps.ts'
import { largerUsage, readUsage, type Usage } from './usage.ts'

/** A piece of an utterance, as the service delivered it. */
export interface SpeechChunk {
  /**
   * The next bytes; the chunks of an utterance concatenate to one file of the stream's `mediaType`. Empty only where a
   * chunk brings nothing but timestamps.
   */
  audio: Uint8Array
  /** Where the request asked for them: of this chunk or, with `ASYNC`, of earlier ones. */
  timestamps?: Timestamps
}

/**
 * One utterance as it is being spoken. The request is made when it begins to be consumed: by `for await`, by `consume`
 * or by `toReadableStream`, once in all.
 */
export interface SpeechStream extends AsyncIterable<SpeechChunk>, AudioFormat {
  /** What the service counted; complete at the end. */
  readonly usage: Usage | undefined
  /** From the start of the request to the first audio; `undefined` until then. */
  readonly firstAudioMs: number | undefined
  /** What was sent as `X-Request-Id`; `undefined` until the answer has begun. */
  readonly requestId: string | undefined
  /**
   * Leaving the loop early closes the connection. The connection is paused while 16 chunks wait for the loop; those of
   * what was read last come on top.
   */
  [Symbol.asyncIterator](): AsyncIterator<SpeechChunk, undefined>
  /** Calls back with each chunk, which is the cheapest way; resolves at the end. What `onChunk` throws ends it. */
  consume(onChunk: (chunk: SpeechChunk) => void): Promise<void>
  /** The bytes of the audio as a web stream; cancelling it closes the connection. */
  toReadableStream(): ReadableStream<Uint8Array>
}

/** The stream of one request. @param joiner what makes its chunks one file. */
export function streamSpeech(
  context: EndpointContext,
  body: SpeechRequest,
  joiner: AudioJoiner,
  call: Call,
): SpeechStream {
  const format = requestedFormat(body)
  let usage: Usage | undefined
  let firstAudioMs: number | undefined
  let requestId: string | undefined
  let isConsumed = false

  const start = (sink: Sink<SpeechChunk>) => {
    if (isConsumed) throw new InputError('A speech stream can be consumed once; make a new one')
    isConsumed = true
    const startedAt = performance.now()
    return startSpeech(
      context,
      body,
      {
        onResponse(id) {
          requestId = id
        },
        next({ audio: content, facts }) {
          const audio = joiner.push(content)
          if (audio.length > 0) firstAudioMs ??= performance.now() - startedAt
          usage = largerUsage(usage, readUsage(facts?.['usage']))
          const timestamps = readTimestamps(facts?.['timestampInfo'])
          if (timestamps) sink.next({ audio, timestamps })
          else if (audio.length > 0) sink.next({ audio })
        },
        end() {
          if (firstAudioMs !== undefined) return sink.end()
          const message = 'Speech failed: the answer ended without audio'
          sink.error(new ProtocolError(message, { code: 'NO_AUDIO', requestId }))
        },
        error: sink.error,
      },
      call,
    )
  }

  const iterate = (): AsyncIterator<SpeechChunk, undefined> => {
    const queue = createQueue<SpeechChunk>({
      onFull: () => control.pause(),
      onRoom: () => control.resume(),
      onLeave: () => control.close(),
    })
    const error = (error: unknown) => {
      // Who ends a call wants to hear nothing more, nor what has come already.
      if (call.signal?.aborted) queue.clear()
      queue.fail(error)
    }
    const control = start({ next: queue.push, end: queue.end, error })
    return queue
  }

  return {
    encoding: format.encoding,
    mediaType: format.mediaType,
    get sampleRateHertz() {
      return joiner.sampleRateHertz
    },
    get usage() {
      return usage
    },
    get firstAudioMs() {
      return firstAudioMs
    },
    get requestId() {
      return requestId
    },
    [Symbol.asyncIterator]: iterate,
    consume: (onChunk) =>
      new Promise((resolve, reject) => {
        start({ next: onChunk, end: resolve, error: reject })
      }),
    toReadableStream: () => toReadableStream(iterate()),
  }
}

/** The audio of the chunks as a web stream of bytes. */
export function toReadableStream(
  chunks: AsyncIterator<SpeechChunk, undefined>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await chunks.next()
          if (done) return controller.close()
          if (value.audio.length > 0) return controller.enqueue(value.audio)
        }
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
