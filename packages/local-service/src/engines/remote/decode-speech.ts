import { RecordingError, recogniseEncoding, wholeSamples } from '@parlando/core/audio'
import { parseJson } from '@parlando/core/wire'
import type { DecodedPiece } from '../../audio/decoding/decode-pieces.ts'
import { decodeSound } from '../../audio/decoding/decode-sound.ts'
import { fromInt16, fromPcmBytes } from '../../audio/pcm.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { problemText } from '../../remote/read-response.ts'

const pcmTypes = /^(?:audio\/(?:x-)?(?:pcm|l16|raw)|(?:application|binary)\/octet-stream)?$/i
const textTypes = /^(?:text\/|application\/(?:problem\+)?json)/i
// Enough to recognise every format. Of 16-bit PCM it is a hundredth of a second.
const recognisedBytes = 512

/**
 * Decodes the audio of a successful response while it arrives. The format is that of the bytes, because some servers send
 * another one than requested, or state a wrong type (Piper: `text/html`). Bytes without a mark are PCM (16 bits, mono).
 * @param options.subject names the server at the start of a sentence.
 * @param options.pcmRateHertz the rate of PCM if the server does not state it.
 * @throws {ServiceError} if the response contains no audio, or audio that cannot be decoded. The error of the connection
 * if it breaks. The reason of the signal.
 */
export async function* decodeSpeech(
  response: Response,
  { subject, pcmRateHertz }: { subject: string; pcmRateHertz: number },
  signal: AbortSignal,
): AsyncGenerator<DecodedPiece, void> {
  const pieces = readBody(response)
  const fail = (problem: string) => new ServiceError('INTERNAL', `${subject} ${problem}`, 502)
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim())
  try {
    const start = await readAtLeast(pieces, recognisedBytes)
    const format = readFormat(start, type)
    if (format === 'PCM') {
      yield* readPcm(prepend(start, pieces), statedRateHertz(parameters) ?? pcmRateHertz)
      return
    }
    if (!format && textTypes.test(type)) {
      const text = readText(start)
      throw fail(`sent text instead of audio${text && `: ${text}`}`)
    }
    if (!format) throw fail(`sent ${type}; only PCM, WAV, MP3, Ogg Opus and FLAC can be decoded`)
    for await (const piece of decodeSound({ format }, prepend(start, pieces), signal)) {
      yield { ...piece, samples: fromInt16(piece.samples) }
    }
  } catch (error) {
    if (RecordingError.isInstance(error)) throw fail(`sent audio that ${error.message}`)
    throw error
  } finally {
    await pieces.return()
  }
}

/** @returns `undefined` for a format that cannot be decoded, such as AAC. */
function readFormat(start: Uint8Array, type: string) {
  const mayBePcm = pcmTypes.test(type)
  const format = recogniseEncoding(start)
  // PCM may begin with the two bytes of an MP3 frame.
  if (format && !(format === 'MP3' && mayBePcm && !hasTag(start))) return format
  return mayBePcm ? 'PCM' : undefined
}

function readText(start: Uint8Array): string {
  const text = Buffer.from(start).toString('utf8')
  return problemText(parseJson(text) ?? text)
}

function hasTag(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, 3)).toString('latin1') === 'ID3'
}

async function* readBody({ body }: Response): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader()
  try {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      yield piece.value
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

async function readAtLeast(
  pieces: AsyncGenerator<Uint8Array, void>,
  bytes: number,
): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array()
  while (start.length < bytes) {
    const { done, value } = await pieces.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  return start
}

async function* prepend(
  start: Uint8Array,
  pieces: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  yield start
  yield* pieces
}

async function* readPcm(
  pieces: AsyncIterable<Uint8Array>,
  sampleRateHertz: number,
): AsyncGenerator<DecodedPiece, void> {
  const whole = wholeSamples()
  for await (const piece of pieces) {
    const samples = fromPcmBytes(whole(piece))
    if (samples.length > 0) yield { samples, sampleRateHertz }
  }
}

/** The rate in a type such as `audio/L16; rate=22050`. */
function statedRateHertz(parameters: readonly string[]): number | undefined {
  const [rate] = parameters.flatMap((text) => /^rate=(\d{4,6})$/i.exec(text)?.[1] ?? [])
  return rate === undefined ? undefined : Number(rate)
}
