import type { TurnDetector } from '../../../local-service/src/listening/turns/turn-detector.ts'
import type { TurnEvent } from '../../../local-service/src/listening/turns/turn-states.ts'

/** Pushes sounds one after another in pieces, ends them, and closes the detector. */
export async function detectTurns(
  detector: TurnDetector,
  sounds: readonly Int16Array[],
  pieceSamples: number,
): Promise<TurnEvent[]> {
  const all = Int16Array.from(sounds.flatMap((sound) => [...sound]))
  const events: TurnEvent[] = []
  for (let start = 0; start < all.length; start += pieceSamples) {
    events.push(...(await detector.push(all.subarray(start, start + pieceSamples))))
  }
  events.push(...detector.end())
  detector.close()
  return events
}
