import type { RealtimeAudio } from './realtime-event.ts'

interface Piece {
  audio: RealtimeAudio
  durationMs: number
}

/** Eleven minutes of PCM. A service may send a response much faster than a player plays it. */
const maxBytes = 32 * 1024 * 1024

/** The latest speech, in case a player has to play it again. */
export class Replay {
  readonly #sampleBytes: () => number
  #pieces: Piece[] = []
  #durationMs = 0
  #bytes = 0

  /** @param sampleBytes the size of a sample. */
  constructor(sampleBytes: () => number) {
    this.#sampleBytes = sampleBytes
  }

  /** @param unplayedMs how much of all speech a player has not played yet, with this piece. */
  add(audio: RealtimeAudio, durationMs: number, unplayedMs: number): void {
    this.#pieces.push({ audio, durationMs })
    this.#durationMs += durationMs
    this.#bytes += audio.audio.length
    while (
      this.#pieces.length > 1 &&
      this.#durationMs - this.#pieces[0]!.durationMs >= unplayedMs
    ) {
      this.#dropFirst()
    }
    while (this.#bytes > maxBytes) this.#dropFirst()
  }

  /** @returns the last speech, of this length; empty if too much of it was dropped. */
  last(durationMs: number): RealtimeAudio[] {
    if (this.#durationMs < Math.floor(durationMs)) return []
    const found: RealtimeAudio[] = []
    let missingMs = durationMs
    for (const piece of this.#pieces.toReversed()) {
      if (missingMs < 1) break
      const isWhole = piece.durationMs <= missingMs
      found.unshift(isWhole ? piece.audio : cutStart(piece, missingMs, this.#sampleBytes()))
      missingMs -= piece.durationMs
    }
    return found
  }

  clear(): void {
    this.#pieces = []
    this.#durationMs = 0
    this.#bytes = 0
  }

  #dropFirst(): void {
    const first = this.#pieces.shift()!
    this.#durationMs -= first.durationMs
    this.#bytes -= first.audio.audio.length
  }
}

/** The end of a piece. */
function cutStart(
  { audio, durationMs }: Piece,
  keptMs: number,
  sampleBytes: number,
): RealtimeAudio {
  const samples = audio.audio.length / sampleBytes
  const start = Math.round(samples * (1 - keptMs / durationMs))
  return { ...audio, audio: audio.audio.subarray(start * sampleBytes) }
}
