import { recogniseEncoding } from './recognise-encoding.ts'
import { readSampleFormat } from './voice-sample.ts'

/** The limits of a recording to transcribe. "25 MB" is read as 25 MiB, so that the client rejects nothing that the service accepts. */
export const recordingLimits = { maxBytes: 25 * 1024 * 1024, maxSeconds: 3600 } as const

/** The file formats that can be transcribed. */
export type RecordingFormat = 'WAV' | 'MP3' | 'OGG_OPUS' | 'WEBM' | 'FLAC'

/** Recognises a recording by its first bytes. @returns `undefined` for any other format, and for PCM without a header. */
export function readRecordingFormat(audio: Uint8Array): RecordingFormat | undefined {
  return readSampleFormat(audio) ?? recogniseEncoding(audio)
}

const formats = 'a WAV, MP3, Ogg Opus, WebM or FLAC file'

/**
 * Checks whether a recording can be transcribed, without decoding it.
 * @returns the problem, which continues the sentence "The audio …"; `undefined` if there is none.
 */
export function recordingProblem(audio: Uint8Array): string | undefined {
  const { maxBytes } = recordingLimits
  if (audio.length === 0) return 'is empty'
  if (audio.length > maxBytes) {
    return `is larger than the limit of ${maxBytes} bytes; split it, or use MP3 or Ogg Opus`
  }
  if (readRecordingFormat(audio)) return undefined
  if (isAac(audio))
    return `is AAC (M4A), for which there is no free decoder; convert it to ${formats}`
  return `is not ${formats}; convert it to one of them, or put a WAV header in front of PCM`
}

/** AAC in an MP4 file (`ftyp`), or in a stream of ADTS frames. */
function isAac(audio: Uint8Array): boolean {
  const view = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength)
  if (view.toString('latin1', 4, 8) === 'ftyp') return true
  return view.length >= 2 && (view.readUInt16BE(0) & 0xfff6) === 0xfff0
}
