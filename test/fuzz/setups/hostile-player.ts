import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterAll, beforeAll, expect } from 'vitest'
import { soundOf } from '../../../packages/node-red-nodes/src/sounds/sound.ts'
import type { SoundStore } from '../../../packages/node-red-nodes/src/sounds/to-play/sound-store.ts'
import type { Driver } from '../../../packages/node-red-nodes/src/speakers/driver.ts'
import type { startTrap } from './hostile-api.ts'

type Trap = Awaited<ReturnType<typeof startTrap>>

/** Serves sounds to the players of a file, and closes its trap after the tests. @returns the store, once the tests run. */
export function useSounds(trap: Trap): () => SoundStore {
  let served: Awaited<ReturnType<typeof serveSounds>>
  beforeAll(async () => {
    served = await serveSounds()
  })
  afterAll(async () => {
    await served.close()
    trap.close()
  })
  return () => served.sounds
}

/** Plays a short sound as a node does. */
export async function playShortSound(driver: Driver, signal: AbortSignal): Promise<void> {
  const sound = soundOf({ audioEncoding: 'MP3', sampleRateHertz: 44_100 }, Buffer.alloc(400))
  await driver.prepare(signal)
  await driver.play(sound, { signal, volume: 50, onFirstSound() {}, handOut() {} })
}

/** @returns the errors of the calls that have failed. */
export async function errorsOf(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(calls)
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
}

/** All that a driver may hold, and what a run leaves to the next one. */
export const maxLeftMebibytes = 64
const codes = ['NO_PLAYER', 'NOT_FETCHED', 'SPEAKER_NOT_REACHABLE', 'SPEAKER_REFUSED']

/** Fails unless an error is a sentence for users, with a documented code and no token. A test may have stopped the player. */
export function expectErrorForUsers(error: unknown): void {
  const { name, code, message } = error as { name: string; code: string; message: string }
  if (name === 'TimeoutError') return
  expect(codes, message).toContain(code)
  expect(message).toMatch(/^[^\p{Cc}]{10,1000}$/u)
  expect(message).not.toContain(keys.service)
}
