import { fromPcmBytes } from '../../audio/pcm.ts'
import type { SoundListener } from './stream-output.ts'
import type { OpenFile } from './wasi.ts'

const wavHeaderBytes = 44

/**
 * Passes on the sound that Flite writes to a WAV file, sentence by sentence. Flite first writes a file with only a header.
 * For each sentence it reopens the file, reads and corrects the header, and appends the sound.
 * @returns a function that opens the file.
 */
export function createFileOutput(
  onSound: SoundListener,
): (flags: { truncate: boolean }) => OpenFile {
  const header = new Uint8Array(wavHeaderBytes)
  let sizeBytes = 0
  return ({ truncate }) => {
    if (truncate) sizeBytes = 0
    let isSentenceStart = true
    return {
      content: header,
      position: 0,
      sizeBytes,
      write(bytes, position) {
        sizeBytes = Math.max(sizeBytes, position + bytes.length)
        const headerPart = bytes.subarray(0, Math.max(0, wavHeaderBytes - position))
        header.set(headerPart, Math.min(position, wavHeaderBytes))
        if (bytes.length === headerPart.length) return
        onSound(fromPcmBytes(bytes.subarray(headerPart.length)), isSentenceStart)
        isSentenceStart = false
      },
    }
  }
}
