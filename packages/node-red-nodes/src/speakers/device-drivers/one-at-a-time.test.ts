import { expect, it } from 'vitest'
import { OneAtATime } from './one-at-a-time.ts'

const { signal: never } = new AbortController()

/** A sound that plays until it is told to end, or its signal aborts. */
function createSound() {
  const sound = { hasBegun: false, end: () => {} }
  const play = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      sound.hasBegun = true
      sound.end = () => resolve('played')
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { sound, play }
}

it('begins a sound when the one before has ended, also with an error', async () => {
  const sounds = new OneAtATime()
  const failing = sounds.play(never, async () => {
    throw new Error('the device is off')
  })
  await expect(failing).rejects.toThrow('the device is off')
  const [first, second] = [createSound(), createSound()]
  const firstPlayed = sounds.play(never, first.play)
  const secondPlayed = sounds.play(never, second.play)
  await Promise.resolve()
  expect([first.sound.hasBegun, second.sound.hasBegun]).toEqual([true, false])
  first.sound.end()
  expect(await firstPlayed).toBe('played')
  await Promise.resolve()
  second.sound.end()
  expect(await secondPlayed).toBe('played')
})

it('does not begin a sound that is stopped while it waits', async () => {
  const sounds = new OneAtATime()
  const [first, second] = [createSound(), createSound()]
  const stop = new AbortController()
  const firstPlayed = sounds.play(never, first.play)
  const secondPlayed = sounds.play(stop.signal, second.play)
  await Promise.resolve()
  stop.abort(new Error('stopped'))
  first.sound.end()
  await firstPlayed
  await expect(secondPlayed).rejects.toThrow('stopped')
  expect(second.sound.hasBegun).toBe(false)
})

it('ends the sound that plays when it is closed, and begins no other one', async () => {
  const sounds = new OneAtATime()
  const [first, second] = [createSound(), createSound()]
  const played = [sounds.play(never, first.play), sounds.play(never, second.play)]
  const ended = Promise.all(played.map((one) => expect(one).rejects.toThrow('closed')))
  await Promise.resolve()
  await sounds.close(new Error('closed'))
  await ended
  expect(second.sound.hasBegun).toBe(false)
})
