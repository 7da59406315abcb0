/** How long the sound made so far lasts for a listener who began to play it at its first moment. */
export interface PlaybackClock {
  made(seconds: number): void
  /** On the clock of `performance.now()`; `Infinity` before there is any sound: what comes after it can wait. */
  readonly lastsUntilMs: number
}

export function createPlaybackClock(): PlaybackClock {
  let lastsUntilMs = Number.POSITIVE_INFINITY
  return {
    made(seconds) {
      const startMs = lastsUntilMs === Number.POSITIVE_INFINITY ? performance.now() : lastsUntilMs
      lastsUntilMs = startMs + seconds * 1000
    },
    get lastsUntilMs() {
      return lastsUntilMs
    },
  }
}
