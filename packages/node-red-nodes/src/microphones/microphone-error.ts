/** Nothing can record: no program is installed, or it finds no device. */
export class MicrophoneError extends Error {
  readonly code = 'NO_MICROPHONE'
}
