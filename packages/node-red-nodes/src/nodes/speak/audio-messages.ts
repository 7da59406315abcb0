import type { TimedWord } from '@parlando/core'
import { type AudioChapter, addMp3Chapters, completeFile } from '@parlando/core/audio'
import { NodeLimitError } from '../../runtime/failure.ts'
import { innerParts, type Parts } from '../../runtime/sequences.ts'
import type { SpeechMessage } from '../../runtime/speech/speech-request.ts'
import { type AudioStats, collectFacts, type FactsOptions } from './audio-facts.ts'
import { contentTypeHeaders, type HttpMessage } from './http-content-type.ts'

export interface SpeakMessage extends HttpMessage, SpeechMessage {
  audio?: AudioStats
  /** The time of each word in seconds from the start: the words of this chunk, on the final message all words. */
  timestamps?: TimedWord[]
  /** WebVTT of all words, on the final message. */
  captions?: string
  complete?: boolean
  /** `true` interrupts the long text that is spoken, and resumes it. */
  pause?: unknown
  resume?: unknown
  /** The chapters of a long text with headings. */
  chapters?: readonly AudioChapter[]
  /** Sentences about a text that the voice does not speak as expected. */
  warning?: string
}

export interface SpeakOptions extends FactsOptions {
  /** Complete when the stream has ended. Default: none. */
  chapters?: readonly AudioChapter[]
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
export function speechMessages(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  return options.output === 'whole' ? speakWhole(options) : speakChunks(options)
}

/**
 * Yields a clone of the message for every chunk, then the message itself with an empty Buffer as the end of the sequence.
 * Until then the message stays unchanged, so that Catch receives the original if the speech fails.
 */
async function* speakChunks(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  const { stream, message, warning, clone, sequenceId } = options
  const facts = collectFacts(options)
  const {
    payload: _text,
    complete: _complete,
    timestamps: _words,
    captions: _captions,
    warning: _warning,
    parts: outerParts,
    ...rest
  } = message
  const parts = innerParts({ id: sequenceId, type: 'buffer' }, bufferParts(outerParts))
  Object.assign(rest, contentTypeHeaders(rest, stream.mediaType))

  let index = 0
  for await (const chunk of stream) {
    const audio = facts.add(chunk)
    if (chunk.audio.length === 0) continue
    const next = clone({
      ...rest,
      ...(chunk.timestamps && { timestamps: chunk.timestamps.words }),
      audio,
      parts: { ...parts, index: index++ },
    })
    next.payload = toBuffer(chunk.audio)
    setOrDelete(next, 'warning', warning())
    yield { audio, message: next }
  }
  const audio = facts.audio()
  message.payload = Buffer.alloc(0)
  message.audio = audio
  message.parts = { ...parts, index, count: index + 1 }
  message.complete = true
  setOrDelete(message, 'timestamps', facts.words())
  setOrDelete(message, 'captions', facts.captions())
  setOrDelete(message, 'warning', warning())
  Object.assign(message, contentTypeHeaders(message, stream.mediaType))
  yield { audio, message }
}

async function* speakWhole(options: SpeakOptions): AsyncGenerator<SpeakStep, void> {
  const { stream, message, warning, tooLarge } = options
  const facts = collectFacts(options)
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) {
    const audio = facts.add(chunk)
    if (audio.bytes > maxWholeMebibytes * 1024 * 1024) {
      throw new NodeLimitError(tooLarge(maxWholeMebibytes))
    }
    chunks.push(chunk.audio)
    yield { audio }
  }
  const joined = Buffer.concat(chunks)
  // A flow joins the files of a sequence. An info frame at the start would describe only the first of them.
  const isPartOfMp3 = message.parts !== undefined && stream.encoding === 'MP3'
  const file = isPartOfMp3 ? joined : completeFile(stream.encoding, joined)
  const { chapters = [] } = options
  const payload = toBuffer(stream.encoding === 'MP3' ? addMp3Chapters(file, chapters) : file)
  const audio = { ...facts.audio(), bytes: payload.length }
  // In one step: if a getter of the message throws, Catch receives the message unchanged.
  Object.assign(
    message,
    message.parts && { parts: bufferParts(message.parts) },
    contentTypeHeaders(message, stream.mediaType),
    { payload, audio },
  )
  setOrDelete(message, 'timestamps', facts.words())
  setOrDelete(message, 'captions', facts.captions())
  setOrDelete(message, 'warning', warning())
  setOrDelete(message, 'chapters', chapters.length > 0 ? chapters : undefined)
  yield { audio, message }
}

/** Sets a property, or removes that of an earlier node, which is about other audio. */
function setOrDelete<Name extends 'timestamps' | 'captions' | 'warning' | 'chapters'>(
  message: SpeakMessage,
  name: Name,
  value: SpeakMessage[Name],
): void {
  if (value) message[name] = value
  else delete message[name]
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
  delete message.timestamps
  delete message.captions
  delete message.warning
  delete message.chapters
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

/** Parts with the members that the core nodes add; `ch` and `len` describe a text. */
interface SequenceParts extends Partial<NonNullable<Parts>> {
  type?: unknown
  ch?: unknown
  len?: unknown
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
