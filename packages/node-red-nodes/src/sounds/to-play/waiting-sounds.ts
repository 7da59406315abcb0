import { packageState } from '../../runtime/package-state.ts'
import type { Parts } from '../../runtime/sequences.ts'
import { abortableDelay } from '../../runtime/wait.ts'
import type { Sound } from '../sound.ts'

/** The sounds that a node has taken, from their first byte until they were heard. */
export interface WaitingSounds {
  add(sound: Sound): void
  remove(sound: Sound): void
  /** Lets the nodes that make the sequences of a message wait until there is room. */
  follow(parts: Parts): void
  /** Whether nodes that can wait should make no more. */
  readonly isPaused: boolean
  /** Whether no more is taken, also from nodes that do not wait. */
  readonly isFull: boolean
}

const pauseBytes = 16 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024
/** A sound also takes a place in the queue. */
const minSoundBytes = 16 * 1024
const checkMs = 250
/** A flow may never complete a sequence; above this limit, the oldest one is forgotten. */
const maxSequences = 1000

// The node that plays a sound may be several wires away from the node that makes it.
const players = packageState('players', () => new Map<string, Pick<WaitingSounds, 'isPaused'>>())

export function createWaitingSounds(): WaitingSounds {
  const sounds = new Set<Sound>()
  const waitingBytes = () => {
    let bytes = 0
    for (const { heldBytes } of sounds) bytes += Math.max(heldBytes, minSoundBytes)
    return bytes
  }
  const waiting: WaitingSounds = {
    add: (sound) => void sounds.add(sound),
    remove: (sound) => void sounds.delete(sound),
    follow(parts) {
      for (const id of sequenceIds(parts)) {
        players.delete(id)
        players.set(id, waiting)
        const [oldest] = players.keys()
        if (players.size > maxSequences) players.delete(oldest!)
      }
    },
    get isPaused() {
      return waitingBytes() >= pauseBytes
    },
    get isFull() {
      return waitingBytes() >= maxBytes
    },
  }
  return waiting
}

/**
 * Waits as long as the node that plays a sequence has enough to play. Nobody may play it: then there is no wait.
 * @param sequenceId `msg.parts.id` of its messages, or of the sequence around them.
 * @throws the reason of the signal.
 */
export async function untilWanted(
  sequenceId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  while (sequenceId !== undefined && players.get(sequenceId)?.isPaused) {
    await abortableDelay(checkMs, signal)
  }
}

/** The ids of the sequence of a message and of the sequence around it. `msg.parts` may hold anything. */
function sequenceIds(parts: Parts): string[] {
  const { id, parts: outer } = (parts ?? {}) as { id?: unknown; parts?: { id?: unknown } }
  return [id, outer?.id].filter((one) => typeof one === 'string')
}
