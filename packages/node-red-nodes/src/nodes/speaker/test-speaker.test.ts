import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { abortableDelay } from '../../runtime/wait.ts'
import { playChime } from './test-speaker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Plays the chime on a speaker that takes time to wake up. */
function playAfter(delayMs: number) {
  const { driver } = createFakeSpeaker('kitchen')
  const { prepare } = driver
  driver.prepare = async (signal) => {
    await abortableDelay(delayMs, signal)
    return prepare(signal)
  }
  const played = playChime(speakerTexts.en, driver, {}, new AbortController().signal)
  return Promise.allSettled([played, vi.advanceTimersByTimeAsync(60_000)])
}

it('waits for a speaker whose app takes long to start', async () => {
  const [played] = await playAfter(35_000)
  expect(played).toEqual({ status: 'fulfilled', value: 'player' })
  expect(vi.getTimerCount()).toBe(0)
})

it('says in the language of Node-RED that a speaker has not ended', async () => {
  const [played] = await playAfter(50_000)
  expect(played).toMatchObject({
    reason: {
      code: 'SPEAKER_NOT_REACHABLE',
      message: 'The chime has not ended after 45 seconds: check that the speaker is on.',
    },
  })
})
