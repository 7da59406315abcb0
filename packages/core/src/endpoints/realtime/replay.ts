import type { RealtimeAudio } from './realtime-event.ts'

/** The latest speech, in case a player has to play it again. */
export interface Replay {
  /** @param unplayedMs how much of all speech a player has not played yet, with this piece. */
  add(piece: RealtimeAudio, durationMs: number, unplayedMs: number): void
  /** @returns the last speech, of this length; empty if too much of it was dropped. */
  last(durationMs: number): RealtimeAudio[]
  clear(): void
}

interface Piece {
  audio: RealtimeAudio
  durationMs: number
}

/** Eleven minutes of PCM. A service may send a response much faster than a player plays it. */
const maxBytes = 32 * 1024 * 1024

/** @param sampleBytes the size of a sample. */
export function createReplay(sampleBytes: () => number): Replay {
  let pieces: Piece[] = []
  let durationMs = 0
  let bytes = 0

  const dropFirst = () => {
    const first = pieces.shift()!
    durationMs -= first.durationMs
    bytes -= first.audio.audio.length
  }
  /** The end of a piece. */
  const cut = ({ audio: piece, durationMs: pieceMs }: Piece, ms: number): RealtimeAudio => {
    const size = sampleBytes()
    const samples = piece.audio.length / size
    const start = Math.round(samples * (1 - ms / pieceMs))
    return { ...piece, audio: piece.audio.subarray(start * size) }
  }
  return {
    add(audio, ms, unplayedMs) {
      pieces.push({ audio, durationMs: ms })
      durationMs += ms
      bytes += audio.audio.length
      while (pieces.length > 1 && durationMs - pieces[0]!.durationMs >= unplayedMs) dropFirst()
      while (bytes > maxBytes) dropFirst()
    },
    last(ms) {
      if (durationMs < Math.floor(ms)) return []
      const found: RealtimeAudio[] = []
      let missingMs = ms
      for (const piece of pieces.toReversed()) {
        if (missingMs < 1) break
        found.unshift(piece.durationMs <= missingMs ? piece.audio : cut(piece, missingMs))
        missingMs -= piece.durationMs
      }
      return found
    },
    clear() {
      pieces = []
      durationMs = 0
      bytes = 0
    },
  }
}
