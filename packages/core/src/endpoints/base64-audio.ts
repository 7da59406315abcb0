import { wholeSamples } from '../audio/whole-samples.ts'
import type { HttpResponse } from '../http/response.ts'
import { decodeBase64 } from '../wire/decode.ts'

/** Decodes the audio of a response; empty if there is none. @throws {ProtocolError} `BAD_RESPONSE` if it is not base64. */
export function readAudio(
  { bad }: Pick<HttpResponse, 'bad'>,
  base64: string | null | undefined,
): Buffer {
  const audio = decodeBase64(base64 ?? '')
  if (!audio) throw bad('the audio in the response is not base64')
  return audio
}

// About a second of speech: large enough for few messages, and well below the limits of services.
const maxPieceBytes = 32 * 1024

/**
 * Makes a function that cuts audio into pieces of at most 32 KiB, in base64. A sample that is split between two calls is
 * part of the second one's pieces.
 */
export function createAudioPieces(sampleBytes: 1 | 2): (audio: Uint8Array) => string[] {
  const whole = wholeSamples(sampleBytes)
  return (added) => {
    const { buffer, byteOffset, byteLength } = whole(added)
    const audio = Buffer.from(buffer, byteOffset, byteLength)
    const pieces: string[] = []
    for (let from = 0; from < audio.length; from += maxPieceBytes) {
      pieces.push(audio.toString('base64', from, from + maxPieceBytes))
    }
    return pieces
  }
}
