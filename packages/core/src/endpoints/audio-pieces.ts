import { wholeSamples } from '../audio/whole-samples.ts'

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
