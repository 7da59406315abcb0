/** What a microphone records: signed 16-bit samples, little-endian, mono. The rate that recognisers need. */
export const sampleRateHertz = 16_000
export const bytesPerSecond = 2 * sampleRateHertz

/** Receives the sound of one recording. */
export interface RecordingReceiver {
  /** Takes whole samples. */
  push(pcm: Buffer): void
  /** @param isInterrupted whether the recording may lack its end, since the connection or the program failed. */
  end(isInterrupted: boolean): void
}

/** Nothing can record: no program is installed, or it finds no device. */
export class MicrophoneError extends Error {
  readonly code = 'NO_MICROPHONE'
}
