/** Plays the responses of a session, if the service does it instead of the client. */
export interface Player {
  /** Holds the sound back: the user may be interrupting. */
  pause(): void
  resume(): void
  /** Drops the sound that the user has not heard. */
  clear(): void
}
