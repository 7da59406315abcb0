// About a second of speech: large enough for few messages, and well below the limits of services.
const maxPieceBytes = 32 * 1024

/**
 * Makes a function that cuts audio into pieces of at most 32 KiB, in base64. A sample that is split between two calls is
 * part of the second one's pieces.
 */
export function createAudioPieces(sampleBytes: 1 | 2): (audio: Uint8Array) => string[] {
  let rest = Buffer.alloc(0)
  return (added) => {
    const bytes = Buffer.from(added.buffer, added.byteOffset, added.byteLength)
    const audio = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    const wholeBytes = audio.length - (audio.length % sampleBytes)
    // Copied: the caller may reuse its bytes.
    rest = Buffer.from(audio.subarray(wholeBytes))
    const pieces: string[] = []
    for (let from = 0; from < wholeBytes; from += maxPieceBytes) {
      pieces.push(audio.toString('base64', from, Math.min(from + maxPieceBytes, wholeBytes)))
    }
    return pieces
  }
}
