/** Knows when a listener who plays the sound as soon as it is made will run out of it. */
export interface PlaybackClock {
  /** Adds sound that has just been made. */
  made(seconds: number): void
  /** In milliseconds of `performance.now()`. `Infinity` before the first sound: nobody is playing yet. */
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
