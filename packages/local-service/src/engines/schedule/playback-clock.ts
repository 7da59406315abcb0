/** Estimates when a listener who plays the audio as soon as it is generated runs out of audio. */
export interface PlaybackClock {
  /** Adds the duration of audio that has just been generated. */
  add(seconds: number): void
  /** In milliseconds of `performance.now()`. `Infinity` before the first sound: nobody is playing yet. */
  readonly lastsUntilMs: number
}

export function createPlaybackClock(): PlaybackClock {
  let lastsUntilMs = Number.POSITIVE_INFINITY
  return {
    add(seconds) {
      const startMs = lastsUntilMs === Number.POSITIVE_INFINITY ? performance.now() : lastsUntilMs
      lastsUntilMs = startMs + seconds * 1000
    },
    get lastsUntilMs() {
      return lastsUntilMs
    },
  }
}
