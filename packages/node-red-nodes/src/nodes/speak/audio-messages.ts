import type { TimedWord } from '@parlando/core'
import { completeFile } from '@parlando/core/audio'
import { NodeLimitError } from '../../runtime/failure.ts'
import { innerParts, type Parts } from '../../runtime/sequences.ts'
import type { SpeechMessage } from '../../runtime/speech-request.ts'
import { type AudioStats, collectAudioStats, type SpokenRequest } from './audio-stats.ts'
import { contentTypeHeaders, type HttpMessage } from './http-content-type.ts'
import type { Speech } from './speech.ts'

export interface SpeakMessage extends HttpMessage, SpeechMessage {
  audio?: AudioStats
  /** The time of each word in seconds from the start: the words of this chunk, on the final message all words. */
  timestamps?: TimedWord[]
  complete?: boolean
  /** Sentences about a text that the voice does not speak as expected. */
  warning?: string
}

export interface SpeakOptions {
  stream: Speech
  request: SpokenRequest
  /** The incoming message; it is sent last. */
  message: SpeakMessage
  output: 'chunks' | 'whole'
  /** `msg.parts.id` of the chunks. */
  sequenceId: string
  clone(message: SpeakMessage): SpeakMessage
  /** @returns what is known so far for `msg.warning` of every message. */
  warning(): string | undefined
  /** The error text for audio that exceeds the limit of one message. */
  tooLarge(mebibytes: number): string
}

export interface SpeakStep {
  audio: AudioStats
  /** The message to send now, if any. */
  message?: SpeakMessage
}

// The whole audio is held in memory. A flow that needs longer audio uses chunks.
const maxWholeMebibytes = 128

/** Turns the audio of a stream into messages while it arrives. */
export function speak(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  return options.output === 'whole' ? speakWhole(options) : speakChunks(options)
}

/**
 * Yields a clone of the message for every chunk, then the message itself with an empty Buffer as the end of the sequence.
 * Until then the message stays unchanged, so that Catch receives the original if the speech fails.
 */
async function* speakChunks(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  const { stream, request, message, warning, clone, sequenceId } = options
  const stats = collectAudioStats(stream, request)
  const {
    payload: _text,
    complete: _complete,
    timestamps: _words,
    warning: _warning,
    parts: outerParts,
    ...rest
  } = message
  const parts = innerParts({ id: sequenceId, type: 'buffer' }, bufferParts(outerParts))
  Object.assign(rest, contentTypeHeaders(rest, stream.mediaType))

  let index = 0
  const words: TimedWord[] = []
  for await (const chunk of stream) {
    for (const word of chunk.timestamps?.words ?? []) words.push(word)
    if (chunk.audio.length === 0) continue
    const audio = stats.add(chunk.audio)
    const next = clone({
      ...rest,
      ...(chunk.timestamps && { timestamps: chunk.timestamps.words }),
      ...withWarning(warning()),
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
  setWarning(message, warning())
  Object.assign(message, contentTypeHeaders(message, stream.mediaType))
  yield { audio, message }
}

async function* speakWhole(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  const { stream, request, message, warning, tooLarge } = options
  const stats = collectAudioStats(stream, request)
  const chunks: Uint8Array[] = []
  const words: TimedWord[] = []
  for await (const chunk of stream) {
    for (const word of chunk.timestamps?.words ?? []) words.push(word)
    const audio = stats.add(chunk.audio)
    if (audio.bytes > maxWholeMebibytes * 1024 * 1024) {
      throw new NodeLimitError(tooLarge(maxWholeMebibytes))
    }
    chunks.push(chunk.audio)
    yield { audio }
  }
  const joined = Buffer.concat(chunks)
  // A flow joins the files of a sequence. An info frame at the start would describe only the first of them.
  const isPartOfMp3 = message.parts !== undefined && stream.encoding === 'MP3'
  const payload = toBuffer(isPartOfMp3 ? joined : completeFile(stream.encoding, joined))
  const audio = { ...stats.total(), bytes: payload.length }
  // In one step: if a getter of the message throws, Catch receives the message unchanged.
  Object.assign(
    message,
    message.parts && { parts: bufferParts(message.parts) },
    contentTypeHeaders(message, stream.mediaType),
    { payload, audio },
  )
  setWords(message, words)
  setWarning(message, warning())
  yield { audio, message }
}

/** Sets the words, or removes those of an earlier node: they belong to other audio. */
function setWords(message: SpeakMessage, words: TimedWord[]): void {
  if (words.length > 0) message.timestamps = words
  else delete message.timestamps
}

function withWarning(warning: string | undefined): Pick<SpeakMessage, 'warning'> {
  return warning ? { warning } : {}
}

/** Sets the warning, or removes that of an earlier node. */
function setWarning(message: SpeakMessage, warning: string | undefined): void {
  if (warning) message.warning = warning
  else delete message.warning
}

/** Whether the message only ends a sequence of texts, like the final message of a chat node that sends sentences. */
export function isSequenceEnd(message: SpeakMessage): boolean {
  return message.payload === '' && message.complete === true && message.parts !== undefined
}

/** The message for a part of a sequence that has no audio, such as its end: a part with an empty Buffer. */
export function silentPart(
  options: Pick<SpeakOptions, 'message' | 'output' | 'sequenceId'>,
): SpeakMessage {
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
 * The parts of a text after it was spoken: parts of a Buffer, otherwise *join* would build a text. Parts of an array or an
 * object keep their type, with audio in place of each text.
 */
function bufferParts(outerParts: Parts): Parts {
  if ((outerParts as SequenceParts | undefined)?.type !== 'string') return outerParts
  // Only now: a copy of a long text, which a message may also carry here, has a member for each character.
  const { ch: _ch, len: _len, ...parts } = outerParts as SequenceParts
  return { ...parts, type: 'buffer' } as Parts
}

/** With the members that the core nodes add; `ch` and `len` describe a text. */
interface SequenceParts extends Partial<NonNullable<Parts>> {
  type?: unknown
  ch?: unknown
  len?: unknown
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
