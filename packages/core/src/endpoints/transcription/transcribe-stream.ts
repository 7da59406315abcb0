import { isUint8Array } from 'node:util/types'
import type { z } from 'zod'
import { InputError } from '../../errors.ts'
import { type Call, purposeOf } from '../../http/call.ts'
import type { Socket } from '../../http/socket.ts'
import { parseInput } from '../../parse-input.ts'
import type { Sink, StreamControl } from '../../streams/sink.ts'
import { createStream } from '../../streams/stream.ts'
import { strictObject } from '../../wire/object-schema.ts'
import { transcribeStreamConfigSchema } from '../../wire/transcription.ts'
import { createAudioPieces } from '../audio-pieces.ts'
import type { EndpointContext } from '../context.ts'
import { type TranscriptionSettings, transcriptionSettings } from './transcript.ts'
import { readMessage, type TranscriptionEvent } from './transcription-event.ts'

const kind = 'Transcription'
const path = '/stt/v1/transcribe:streamBidirectional'

/** Six minutes of audio in base64. It waits only if the caller does not wait for `write`. */
const maxWaitingBytes = 16 * 1024 * 1024

const { sampleRateHertz, inactivityTimeoutSeconds, ...turnSettings } =
  transcribeStreamConfigSchema.shape

/** How to transcribe a stream. */
export interface TranscriptionStreamConfig extends TranscriptionSettings {
  /** The rate of the audio, 8,000 to 48,000. Default 16000. */
  sampleRateHertz?: number
  /** When a turn of the speaker ends. Default: the service decides. */
  endOfTurn?: {
    /** The silence that always ends a turn, in milliseconds, 20 to 5,000. */
    silenceMs?: number
    /** The silence that ends a turn when the service is sure that the speaker has finished, in milliseconds, 20 to 5,000. */
    confidentSilenceMs?: number
    /** How certain voice activity detection must be, 0 to 1. 0: only `endTurn` ends a turn. */
    vadThreshold?: number
  }
  /** The service ends the stream after this time without audio. Default: the limit of the service. */
  inactivityTimeoutSeconds?: number
}

const streamConfigSchema = strictObject({
  ...transcriptionSettings,
  sampleRateHertz,
  endOfTurn: strictObject({
    silenceMs: turnSettings.maxTurnSilence,
    confidentSilenceMs: turnSettings.minEndOfTurnSilenceWhenConfident,
    vadThreshold: turnSettings.vadThreshold,
  }).optional(),
  inactivityTimeoutSeconds,
}) satisfies z.ZodType<unknown, TranscriptionStreamConfig>

/**
 * Speech while it is transcribed: write audio and, at the same time, read events. The stream connects at once and never
 * reconnects. The loop receives the error of the stream after the events before it; `write` rejects with the same error.
 */
export interface TranscriptionStream extends AsyncIterable<TranscriptionEvent>, AsyncDisposable {
  /** The `X-Request-Id` of the connection; `undefined` until it is open. */
  readonly requestId: string | undefined
  /**
   * Sends audio: mono PCM, signed 16-bit little-endian, without a header, in pieces of any size. Before the connection is
   * open, the audio waits.
   * @returns a promise that resolves when the connection takes more. Audio that arrives in real time need not wait for it;
   * a rejection that nothing waits for has no effect.
   * @throws {InputError} after `end` and `close`, and when 16 MiB are waiting.
   */
  write(pcm: Uint8Array): Promise<void>
  /** Ends the turn: the service sends the final transcript and does not wait for silence. */
  endTurn(): void
  /**
   * Ends the audio. The service sends the remaining events and closes the connection, which ends the loop. It must send
   * each of them within `firstByteTimeoutMs`.
   */
  end(): void
  /**
   * Can be called once. Leaving the loop early closes the connection. Up to 16 events, and those of one more network read,
   * wait for the loop; then the client reads no more, and a service that must wait for the client may accept no more audio.
   */
  [Symbol.asyncIterator](): AsyncIterator<TranscriptionEvent, undefined>
  /** Closes the connection and drops the waiting events. A loop that waits for an event ends. */
  close(): Promise<void>
}

/** Opens the socket `/stt/v1/transcribe:streamBidirectional`. @throws {InputError} at once if the config is not valid. */
export function transcribeStream(
  { transport }: EndpointContext,
  config: TranscriptionStreamConfig | undefined,
  call: Call,
): TranscriptionStream {
  const settings = parseInput(streamConfigSchema, config ?? {}, `${kind} config`)
  const what = purposeOf(call, kind)
  const toPieces = createAudioPieces(2)
  const leaving = new AbortController()
  let socket: Socket | undefined
  /** The size of the messages that wait for the socket to open. */
  let openingBytes = 0
  let isEnding = false
  let hasUsage = false
  /** The reason why nothing more can be sent. */
  let outcome: { error: unknown } | undefined

  const receive = (opened: Socket, sink: Sink<TranscriptionEvent>): Sink<string> => {
    socket = opened
    const finish = (error: unknown) => {
      if (outcome) return
      // The usage is the last event, so nothing has been lost.
      const isComplete = isEnding && hasUsage
      outcome = { error: isComplete ? streamEnded(what) : error }
      if (isComplete) sink.end()
      else sink.error(error)
    }
    return {
      next(message) {
        if (outcome) return
        const content = readMessage(message)
        if ('events' in content) {
          hasUsage ||= content.events.some(({ type }) => type === 'usage')
          for (const event of content.events) sink.next(event)
          return
        }
        const error =
          'problem' in content
            ? opened.errorOf(content.problem)
            : opened.badMessage(content.violation)
        opened.close(error)
        finish(error)
      },
      end() {
        if (!isEnding) return finish(opened.closedEarly())
        outcome ??= { error: streamEnded(what) }
        sink.end()
      },
      error: finish,
    }
  }

  let opening: Promise<Socket> | undefined
  const connect = (sink: Sink<TranscriptionEvent>): StreamControl => {
    const attempt = { ...call, signal: leaving.signal }
    opening = transport.openSocket({ what, path }, attempt, (opened) => receive(opened, sink))
    opening.catch((error) => {
      if (outcome) return
      outcome = { error }
      sink.error(error)
    })
    return {
      pause: () => socket?.pause(),
      resume: () => socket?.resume(),
      close() {
        outcome ??= { error: call.signal?.aborted ? call.signal.reason : streamEnded(what) }
        leaving.abort()
        socket?.close()
      },
    }
  }

  const stream = createStream(connect, {
    what: 'transcription',
    signal: call.signal,
    toBytes: () => new Uint8Array(),
  })
  // Starts to connect.
  const events = stream[Symbol.asyncIterator]()
  let isConsumed = false

  /** Keeps the order of the calls, also before the socket is open. A failure is reported to the reader. */
  const send = async (message: string): Promise<void> => {
    openingBytes += message.length
    try {
      const opened = await opening
      opened?.send(message)
      openingBytes -= message.length
      await opened?.drained()
    } catch {
      openingBytes -= message.length
    }
  }

  const write = async (pcm: Uint8Array): Promise<void> => {
    if (!isUint8Array(pcm)) throw new InputError(`${what} failed: write takes bytes`)
    if (isEnding && !outcome) throw new InputError(`${what} failed: write was called after end`)
    const waitingBytes = openingBytes + (socket?.waitingBytes ?? 0)
    if (waitingBytes + (pcm.length * 4) / 3 > maxWaitingBytes) {
      const message = `${what} failed: more than ${maxWaitingBytes} bytes would wait to be sent; wait for each write, and write smaller pieces`
      throw new InputError(message)
    }
    if (!outcome) await Promise.all(toPieces(pcm).map(toMessage).map(send))
    if (outcome) throw outcome.error
  }

  void send(JSON.stringify({ transcribeConfig: toConfig(settings) }))
  return {
    get requestId() {
      return socket?.requestId
    },
    write(pcm) {
      const writing = write(pcm)
      // A caller that does not wait must not cause an unhandled rejection.
      writing.catch(() => {})
      return writing
    },
    endTurn() {
      if (!isEnding && !outcome) void send('{"endTurn":{}}')
    },
    end() {
      if (isEnding || outcome) return
      isEnding = true
      void send('{"closeStream":{}}').then(() => socket?.expectEnd())
    },
    [Symbol.asyncIterator]() {
      if (isConsumed) {
        throw new InputError('A transcription stream can be consumed once; make a new one')
      }
      isConsumed = true
      return events
    },
    close: stream.close,
    [Symbol.asyncDispose]: stream.close,
  }
}

/** Base64 needs no escapes. */
const toMessage = (content: string) => `{"audioChunk":{"content":"${content}"}}`

function streamEnded(what: string): InputError {
  return new InputError(`${what} failed: the stream has ended`)
}

function toConfig(settings: z.output<typeof streamConfigSchema>) {
  const { wordTimestamps, endOfTurn, sampleRateHertz = 16_000, ...shared } = settings
  return {
    ...shared,
    audioEncoding: 'LINEAR16',
    sampleRateHertz,
    numberOfChannels: 1,
    includeWordTimestamps: wordTimestamps,
    maxTurnSilence: endOfTurn?.silenceMs,
    minEndOfTurnSilenceWhenConfident: endOfTurn?.confidentSilenceMs,
    vadThreshold: endOfTurn?.vadThreshold,
  }
}
