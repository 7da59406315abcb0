import { recogniseEncoding, writeWavHeader } from '@parlando/core/audio'
import { NodeInputError, NodeLimitError } from '../../runtime/failure.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import { ChunkSequences, type SoundMessage } from '../chunk-sequences.ts'
import { createGrowingRecording, type GrowingRecording } from './growing-recording.ts'

/** A whole file, or one whose chunks are arriving. */
export interface RecordedAudio {
  kind: 'recorded'
  audio: Uint8Array | AsyncIterable<Uint8Array>
}

/** Samples that arrive while somebody speaks: mono, signed, 16 bits, little-endian. */
export interface LiveAudio {
  kind: 'live'
  sampleRateHertz: number
  /** @param signal Ends the wait for the next chunk. */
  readChunks(signal: AbortSignal): AsyncIterable<Uint8Array>
}

export type IncomingAudio = RecordedAudio | LiveAudio

export interface OpenOptions {
  /** Ends the wait for chunks. */
  signal: AbortSignal
  /** Whether samples are collected to a whole recording instead of being transcribed while they arrive. */
  isWhole: boolean
}

/** The chunks that wait for the service have at most this many bytes: 13 minutes at 16 kHz. */
const maxWaitingBytes = 25 * 1024 * 1024
const maxPauseMs = 30_000

const defaultSampleRateHertz = 16_000
/** What a node may call PCM without a header. */
const rawEncodings = ['PCM', 'LINEAR16']

/** Makes audio of messages: of each Buffer one, of the chunks of one sequence one that grows. */
export function createRecordingCollector(RED: Texts) {
  const begun = new WeakMap<SoundMessage, GrowingRecording>()
  const sequences = new ChunkSequences<GrowingRecording>({
    RED,
    maxPauseMs,
    missing: () => new NodeInputError(sharedText(RED, 'speech.chunk-missing')),
  })

  return {
    /** Takes a chunk. @returns whether it continues audio that has begun, so that it needs no work of its own. */
    takeChunk(message: SoundMessage) {
      if (!isChunk(message)) return false
      const { payload, parts } = message
      const isFirst = parts.index === 0
      const isReported = isFirst || sequences.isOpen(parts.id)
      try {
        const taken = sequences.take(message, {
          begin() {
            const audio = createGrowingRecording()
            begun.set(message, audio)
            return audio
          },
          append(audio) {
            audio.append(payload)
            if (audio.waitingBytes <= maxWaitingBytes) return
            throw new NodeLimitError(sharedText(RED, 'speech.too-slow'))
          },
        })
        if (taken?.isLast) taken.item.end()
      } catch (error) {
        // The message that began the audio reports its failure.
        if (!isReported) throw error
      }
      return !isFirst
    },
    /** The audio that begins with this message. @throws {NodeInputError} when the payload is not audio. */
    open(message: SoundMessage, { signal, isWhole }: OpenOptions): IncomingAudio {
      const audio = begun.get(message)
      if (!audio) return wholeAudio(RED, message)
      if (!isRaw(RED, message)) return { kind: 'recorded', audio: audio.readChunks(signal) }
      const sampleRateHertz = rateOf(RED, message)
      if (!isWhole) {
        return { kind: 'live', sampleRateHertz, readChunks: audio.readChunks }
      }
      const header = writeWavHeader({ sampleRateHertz })
      return { kind: 'recorded', audio: concat(header, audio.readChunks(signal)) }
    },
    /** The work for this message has ended: drops the chunks that are still to arrive. */
    close(message: SoundMessage) {
      const audio = begun.get(message)
      if (audio) sequences.close(audio)
    },
    /** Fails all audio whose end has not arrived, and drops its later chunks. */
    stop: () => sequences.close(),
  }
}

export type RecordingCollector = ReturnType<typeof createRecordingCollector>

type Chunk = SoundMessage & {
  payload: Buffer
  parts: { id: string; index: number; count?: number }
}

/** Whether a message is a piece of a recording. An entry of an array or an object is a recording of its own. */
function isChunk(message: SoundMessage): message is Chunk {
  const { payload } = message
  const parts = message.parts as { id?: unknown; index?: unknown; count?: unknown; type?: unknown }
  if (!Buffer.isBuffer(payload) || typeof parts?.id !== 'string') return false
  const isWhole = parts.count === 1 && payload.length > 0
  return (
    !isWhole &&
    typeof parts.index === 'number' &&
    [undefined, 'buffer'].includes(parts.type as string)
  )
}

function wholeAudio(RED: Texts, message: SoundMessage): IncomingAudio {
  const { payload } = message
  if (!Buffer.isBuffer(payload)) throw new NodeInputError(sharedText(RED, 'speech.not-audio'))
  if (payload.length === 0) throw new NodeInputError(sharedText(RED, 'speech.empty'))
  const isPcm = message.audio !== undefined && isRaw(RED, message)
  if (!isPcm) return { kind: 'recorded', audio: payload }
  const sampleRateHertz = rateOf(RED, message)
  const header = writeWavHeader({ sampleRateHertz, dataBytes: payload.length })
  return { kind: 'recorded', audio: Buffer.concat([header, payload]) }
}

/** Whether audio has no header, as the sender states in `msg.audio`, or else as the first bytes show. */
function isRaw(RED: Texts, { audio, payload }: SoundMessage): boolean {
  const { encoding, channels = 1 } = (audio ?? {}) as { encoding?: unknown; channels?: unknown }
  if (encoding === 'MULAW' || encoding === 'ALAW') {
    throw new NodeInputError(sharedText(RED, 'speech.telephone', { encoding }))
  }
  const recognised = recogniseEncoding(payload as Buffer)
  // Samples can look like the frame of an MP3 file. The wire format calls both WAV and PCM `LINEAR16`.
  const isStatedRaw = rawEncodings.includes(encoding as string) && recognised !== 'WAV'
  if (!isStatedRaw && (recognised || typeof encoding === 'string')) return false
  if (channels !== 1) throw new NodeInputError(sharedText(RED, 'speech.not-mono'))
  return true
}

function rateOf(RED: Texts, { audio }: SoundMessage): number {
  const { sampleRateHertz } = (audio ?? {}) as { sampleRateHertz?: unknown }
  const rate = sampleRateHertz === undefined ? defaultSampleRateHertz : Number(sampleRateHertz)
  if (rate >= 8000 && rate <= 48_000) return rate
  throw new NodeInputError(sharedText(RED, 'speech.not-rate'))
}

async function* concat(header: Uint8Array, chunks: AsyncIterable<Uint8Array>) {
  yield header
  yield* chunks
}
