import type { AudioConfig, SpeechRequest, SpeechStream, TimedText, Usage } from '@parlando/core'
import { correctWavLength, createDurationMeter } from '@parlando/core/audio'
import type { NodeMessageInFlow } from 'node-red'
import { NodeLimitError } from '../../shared/failure.ts'
import { innerParts } from '../../shared/inner-parts.ts'

/** Facts about the sound, as they go out in `msg.audio`; `bytes` and `durationSeconds` count all that came so far. */
export interface AudioFacts {
  encoding: string
  mediaType: string
  sampleRateHertz: number
  channels: 1
  bytes: number
  /** Absent where it cannot be counted from the bytes. */
  durationSeconds?: number
  voiceId: string
  modelId: string
  /** How many the service counted; until it tells, how many the text has. */
  characters: number
  firstAudioMs?: number
  usage?: Usage
}

export interface SpeakMessage extends NodeMessageInFlow {
  voiceId?: unknown
  modelId?: unknown
  audioConfig?: unknown
  /** Further fields of the request, such as `language` or `instruction`. */
  speechOptions?: unknown
  audio?: AudioFacts
  /** When words are spoken, in seconds from the start: of this chunk, and on the last message all of them. */
  timestamps?: TimedText[]
  headers?: Record<string, unknown>
  /** Present where the message came from an `http in` node. */
  res?: unknown
  complete?: boolean
}

export interface SpeakOptions {
  stream: SpeechStream
  request: SpeechRequest & { audioConfig: AudioConfig }
  /** The message that came in; it goes out last. */
  message: SpeakMessage
  output: 'chunks' | 'whole'
  /** Ties the chunks of this utterance together. */
  sequenceId: string
  clone(message: SpeakMessage): SpeakMessage
  /** What to say of audio that is larger than one message can hold. */
  tooLarge(mebibytes: number): string
}

export interface SpokenStep {
  audio: AudioFacts
  /** What to send now, if anything. */
  message?: SpeakMessage
}

// A flow that needs longer audio takes it chunk by chunk.
const maxWholeMebibytes = 128

/** Speaks, and turns the audio into messages as it arrives. */
export function speak(options: SpeakOptions): AsyncGenerator<SpokenStep, void> {
  return options.output === 'whole' ? speakWhole(options) : speakChunks(options)
}

/**
 * A clone of the message for every chunk; then the message itself with an empty Buffer, which closes the sequence.
 * Until then the message stays as it came, so that Catch gets it whole when the speech fails.
 */
async function* speakChunks(options: SpeakOptions): AsyncGenerator<SpokenStep, void> {
  const { stream, message, clone, sequenceId } = options
  const stats = createAudioStats(options)
  const {
    payload: _text,
    complete: _complete,
    timestamps: _words,
    parts: outerParts,
    ...rest
  } = message
  const parts = innerParts({ id: sequenceId, type: 'buffer' }, bufferParts(outerParts))
  Object.assign(rest, contentType(rest, stream.mediaType))

  let index = 0
  const words: TimedText[] = []
  for await (const chunk of stream) {
    words.push(...(chunk.timestamps?.words ?? []))
    if (chunk.audio.length === 0) continue
    const audio = stats.add(chunk.audio)
    const next = clone({
      ...rest,
      ...(chunk.timestamps && { timestamps: chunk.timestamps.words }),
      audio,
      parts: { ...parts, index: index++ },
    })
    next.payload = toBuffer(chunk.audio)
    yield { audio, message: next }
  }
  const audio = stats.total()
  message.payload = Buffer.alloc(0)
  message.audio = audio
  message.parts = { ...parts, index, count: index + 1 }
  message.complete = true
  setWords(message, words)
  Object.assign(message, contentType(message, stream.mediaType))
  yield { audio, message }
}

async function* speakWhole(options: SpeakOptions): AsyncGenerator<SpokenStep, void> {
  const { stream, message, tooLarge } = options
  const stats = createAudioStats(options)
  const chunks: Uint8Array[] = []
  const words: TimedText[] = []
  for await (const chunk of stream) {
    words.push(...(chunk.timestamps?.words ?? []))
    const audio = stats.add(chunk.audio)
    if (audio.bytes > maxWholeMebibytes * 1024 * 1024) {
      throw new NodeLimitError(tooLarge(maxWholeMebibytes))
    }
    chunks.push(chunk.audio)
    yield { audio }
  }
  const audio = stats.total()
  // All at once: where something of the message cannot be read, Catch gets it as it came.
  Object.assign(
    message,
    message.parts && { parts: bufferParts(message.parts) },
    contentType(message, stream.mediaType),
    { payload: toBuffer(correctWavLength(Buffer.concat(chunks))), audio },
  )
  setWords(message, words)
  yield { audio, message }
}

/** Where there are none, those that a node before this one left are of another sound. */
function setWords(message: SpeakMessage, words: TimedText[]): void {
  if (words.length > 0) message.timestamps = words
  else delete message.timestamps
}

/** Whether the message says no more than that a sequence of texts has ended, as chat closes its sentences. */
export function isSequenceEnd(message: SpeakMessage): boolean {
  return message.payload === '' && message.complete === true && message.parts !== undefined
}

/** What a part of a sequence of texts becomes that has no sound, such as its end: a part without bytes. */
export function silentPart(options: Pick<SpeakOptions, 'message' | 'output' | 'sequenceId'>) {
  const { message, output, sequenceId } = options
  message.payload = Buffer.alloc(0)
  delete message.audio
  setWords(message, [])
  const parts = bufferParts(message.parts)
  if (output === 'whole') {
    message.parts = parts
  } else {
    message.parts = innerParts({ id: sequenceId, type: 'buffer', index: 0, count: 1 }, parts)
    message.complete = true
  }
  return message
}

/**
 * A part of a text that has become sound is a part of a Buffer, or *join* would make text of it again. A list or an object
 * stays one, with sound in the place of each text.
 */
function bufferParts(outerParts: Parts): Parts {
  const { type, ch: _ch, len: _len, ...parts }: SequenceParts = outerParts ?? {}
  if (type !== 'string') return outerParts
  return { ...parts, type: 'buffer' } as Parts
}

type Parts = SpeakMessage['parts']

/** With what core nodes know beside; `ch` and `len` are those of a text. */
interface SequenceParts extends Partial<NonNullable<Parts>> {
  type?: unknown
  ch?: unknown
  len?: unknown
}

function createAudioStats({ stream, request }: SpeakOptions) {
  let bytes = 0
  let meter: ReturnType<typeof createDurationMeter> | undefined
  const total = (): AudioFacts => ({
    encoding: stream.encoding,
    mediaType: stream.mediaType,
    sampleRateHertz: stream.sampleRateHertz,
    channels: 1,
    bytes,
    durationSeconds: round(meter?.seconds, 3),
    voiceId: request.voiceId,
    modelId: request.modelId,
    characters: stream.usage?.processedCharactersCount ?? request.text.length,
    firstAudioMs: round(stream.firstAudioMs, 1),
    usage: stream.usage,
  })
  return {
    add(chunk: Uint8Array): AudioFacts {
      meter ??= createDurationMeter(stream.encoding, stream.sampleRateHertz)
      meter.push(chunk)
      bytes += chunk.length
      return total()
    },
    total,
  }
}

// Of an answer that `http request` got: its headers are marked, and those of another body.
const requestMark = 'x-node-red-request-node'

/** For a message that an `http response` will answer. */
function contentType(message: SpeakMessage, mediaType: string): object {
  if (!message.res) return {}
  const names = Object.keys(message.headers ?? {})
  if (names.includes(requestMark)) return { headers: { 'content-type': mediaType } }
  if (names.some((name) => name.toLowerCase() === 'content-type')) return {}
  return { headers: { ...message.headers, 'content-type': mediaType } }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function round(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits))
}
