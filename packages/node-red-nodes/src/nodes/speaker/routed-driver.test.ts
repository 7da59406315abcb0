import { RED } from '@parlando/test-support/node-red/fake-red'
import { expect, it, onTestFinished } from 'vitest'
import { createSound } from '../../sounds/sound.ts'
import type { PlayerRoute } from '../../sounds/to-play/own-address.ts'
import { createSoundStore } from '../../sounds/to-play/sound-store.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'
import { createRoutedDriver } from './routed-driver.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const signal = AbortSignal.timeout(60_000)

/** Plays a sound on a driver of a player at a host. @returns the route that its address is for. */
async function routeOfSound(host: string | undefined): Promise<PlayerRoute | undefined> {
  let found: PlayerRoute | undefined
  const sounds = createSoundStore({
    addressOf(_typed, route) {
      found = route
      return { baseUrl: 'http://x', warning: undefined }
    },
  })
  const kind: SpeakerKind = {
    create: ({ sounds }) => ({
      prepare: async () => format,
      async play(sound) {
        onTestFinished(sounds.publish(sound).remove)
        return { confirmedBy: 'player' }
      },
      close: async () => {},
    }),
    playerHost: () => host,
  }
  const driver = createRoutedDriver(kind, { RED: RED as never, sounds, config: {} })
  expect(await driver.prepare(signal)).toBe(format)
  await driver.play(createSound(format), { signal, volume: 100, onFirstSound() {}, handOut() {} })
  return found
}

it('gives a player the address of this machine that leads to it', async () => {
  expect(await routeOfSound('127.0.0.1')).toEqual({ own: '127.0.0.1', player: '127.0.0.1' })
})

it('prepares a player while it looks for the way to it', async () => {
  let isPrepared = false
  const kind: SpeakerKind = {
    create: () => ({
      async prepare() {
        isPrepared = true
        return format
      },
      play: async () => ({ confirmedBy: 'player' }),
      close: async () => {},
    }),
    playerHost: () => '127.0.0.1',
  }
  const sounds = createSoundStore({ addressOf: () => ({ baseUrl: '', warning: undefined }) })
  const driver = createRoutedDriver(kind, { RED: RED as never, sounds, config: {} })
  const preparing = driver.prepare(signal)
  expect(isPrepared).toBe(true)
  await preparing
})

it.each([undefined, '', 'no.such.host.invalid'])(
  'gives a player that is not known the usual one: %s',
  async (host) => {
    expect(await routeOfSound(host)).toBeUndefined()
  },
)
