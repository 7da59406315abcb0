// About a second of speech: large enough for few messages, and well below the limits of services.
const maxChunkBytes = 32 * 1024

/**
 * Makes a function that writes PCM as messages of at most 32 KiB of audio. A sample that is split between two calls is
 * part of the second one's messages.
 */
export function createAudioWriter(): (pcm: Uint8Array) => string[] {
  let half = Buffer.alloc(0)
  return (pcm) => {
    const added = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const audio = half.length > 0 ? Buffer.concat([half, added]) : added
    const wholeBytes = audio.length - (audio.length % 2)
    // Copied: the caller may reuse its bytes.
    half = Buffer.from(audio.subarray(wholeBytes))
    const messages: string[] = []
    for (let from = 0; from < wholeBytes; from += maxChunkBytes) {
      const content = audio.toString('base64', from, Math.min(from + maxChunkBytes, wholeBytes))
      // Base64 needs no escapes.
      messages.push(`{"audioChunk":{"content":"${content}"}}`)
    }
    return messages
  }
}
