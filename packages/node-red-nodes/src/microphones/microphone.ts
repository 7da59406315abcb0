/** A microphone that a flow opens while it wants to hear somebody. */
export interface Microphone {
  /** Whether it removes the sound of the speaker next to it, so that it can hear people while that one plays. */
  cancelsEcho: boolean
  /**
   * Listens until the signal is aborted.
   * @throws {MicrophoneError} if nothing can record.
   */
  listen(options: ListenOptions): Promise<void>
}

export interface ListenOptions {
  signal: AbortSignal
  /** Receives whole samples, as `microphone-recording.ts` describes them. */
  onPcm(pcm: Buffer): void
}
