import { createRecordingCheck, RecordingError } from '@parlando/core/audio'
import type { DecodeRequest, ToDecoder } from './decode-protocol.ts'
import { type DecoderProcess, decoders } from './decoder-processes.ts'

export type { DecodeRequest } from './decode-protocol.ts'

/** A part of a decoded sound, mono. All parts have the same rate. */
export interface SoundPiece {
  /** 16 bits. */
  samples: Int16Array
  sampleRateHertz: number
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const headerless = ['PCM', 'MULAW', 'ALAW']
const maxMessageBytes = 65_536
/** A part of a valid sound takes milliseconds. */
const stepLimitMs = 30_000

/**
 * Decodes a sound while it arrives, in a process of its own: a small file can take gigabytes and minutes, and the libraries
 * keep their memory. Its headers are checked first. The process decodes the next part when the caller asks for it, takes at
 * most 192 MiB, and stays for the next sound.
 * @throws {RecordingError} if the sound is not a plausible recording, or takes too much time or memory. The errors of
 * `pieces`. The reason of the signal.
 */
export async function* decodeSound(
  request: DecodeRequest,
  pieces: Pieces,
  signal: AbortSignal,
): AsyncGenerator<SoundPiece, void> {
  const checked = cut(headerless.includes(request.format) ? pieces : check(request, pieces))
  try {
    // First, so that a sound with an implausible header needs no process.
    const first = await checked.next()
    if (first.done) throw new RecordingError('no-audio', { format: request.format })
    const decoder = await decoders.acquire(signal)
    let isReusable = false
    const kill = decoder.kill
    signal.addEventListener('abort', kill)
    try {
      // The listener is too late for an abort while the process started.
      signal.throwIfAborted()
      isReusable = yield* converse(decoder, request, prepend(first.value, checked))
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
      decoder.release(isReusable && !signal.aborted)
    }
  } finally {
    await checked.return()
  }
}

/** @returns whether the process can decode another sound. */
async function* converse(
  decoder: DecoderProcess,
  request: DecodeRequest,
  pieces: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<SoundPiece, boolean> {
  let isLate = false
  const ask = async (message: ToDecoder) => {
    const stop = () => {
      isLate = true
      decoder.kill()
    }
    const timer = setTimeout(stop, stepLimitMs)
    try {
      return await decoder.ask(message)
    } catch (error) {
      throw isLate ? new RecordingError('too-slow', { seconds: stepLimitMs / 1000 }) : error
    } finally {
      clearTimeout(timer)
    }
  }
  for (let report = await ask({ type: 'open', request }); ; ) {
    if (report.type === 'failed') throw new RecordingError(report.problem, report.values)
    if (report.type === 'end') return !report.hasGrown
    if (report.type === 'sound') {
      yield { samples: report.samples, sampleRateHertz: report.sampleRateHertz }
      report = await ask({ type: 'more' })
    } else {
      const { done, value } = await pieces.next()
      report = await ask(done ? { type: 'end' } : { type: 'bytes', bytes: value })
    }
  }
}

async function* check({ format }: DecodeRequest, pieces: Pieces): AsyncGenerator<Uint8Array, void> {
  const recording = createRecordingCheck(format as Parameters<typeof createRecordingCheck>[0])
  for await (const piece of pieces) yield recording.push(piece)
  recording.end()
}

async function* cut(pieces: Pieces): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += maxMessageBytes) {
      yield piece.subarray(at, at + maxMessageBytes)
    }
  }
}

async function* prepend(
  first: Uint8Array,
  others: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  yield first
  yield* others
}
