import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startStandIn } from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createHomeAssistantDriver } from './home-assistant.ts'

let server: Awaited<ReturnType<typeof serveSounds>>
let homeAssistant: Awaited<ReturnType<typeof startStandIn>>
beforeAll(async () => {
  server = await serveSounds()
  const devices = {
    'media_player.rejects': 'rejects',
    'media_player.hangs': 'hangs',
    'media_player.away': 'unavailable',
  } as const
  homeAssistant = await startStandIn(devices, process.env)
})
afterAll(async () => {
  await homeAssistant.close()
  await server.close()
})

const createDriver = (more: object) => {
  const config = {
    homeAssistantAddress: homeAssistant.address,
    homeAssistantToken: homeAssistant.token,
    homeAssistantEntity: 'media_player.rejects',
    ...more,
  }
  const driver = createHomeAssistantDriver({
    RED: speakerTexts.en,
    sounds: server.sounds,
    environment: {},
    config,
    // A busy machine needs as long as that for a rejection, too.
    fetchLimitMs: config.homeAssistantEntity === 'media_player.hangs' ? 200 : 20_000,
  })
  onTestFinished(() => driver.close())
  return driver
}

const play = async (config: object) => {
  const driver = createDriver(config)
  const signal = AbortSignal.timeout(10_000)
  const format = await driver.prepare(signal)
  const sound = soundOf(format, Buffer.alloc(400))
  return driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
}

describe('a speaker of Home Assistant says what is wrong', () => {
  it.each<[object, string, string]>([
    [{ homeAssistantAddress: '' }, 'NO_PLAYER', 'does not know Home Assistant'],
    [{ homeAssistantToken: '' }, 'NO_PLAYER', 'does not know Home Assistant'],
    [{ homeAssistantEntity: '' }, 'NO_PLAYER', 'No device of Home Assistant is chosen'],
    [{ homeAssistantEntity: 'light.hall' }, 'NO_PLAYER', 'No device of Home Assistant is chosen'],
    [{ homeAssistantEntity: 'media_player.gone' }, 'NO_PLAYER', 'has no media_player.gone'],
    [{ homeAssistantEntity: 'media_player.away' }, 'SPEAKER_NOT_REACHABLE', 'cannot reach away'],
    [
      { homeAssistantEntity: 'media_player.hangs' },
      'SPEAKER_NOT_REACHABLE',
      'hangs does not respond',
    ],
    [{}, 'SPEAKER_REFUSED', 'rejects the sound (Unable to play the media)'],
    [{ homeAssistantAddress: unreachableUrl }, 'SPEAKER_NOT_REACHABLE', 'is not reachable at'],
  ])('with the settings %j', async (config, code, message) => {
    await expect(play(config)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})

it('a speaker of Home Assistant keeps its connection, and connects again after a restart', async () => {
  const driver = createDriver({})
  const prepare = () => driver.prepare(AbortSignal.timeout(10_000))
  const follows = () => homeAssistant.commands.filter(({ type }) => type === 'subscribe_entities')
  const before = follows().length
  await prepare()
  await prepare()
  expect(follows().length - before).toBe(1)
  homeAssistant.restart()
  await expect.poll(() => prepare().then(() => follows().length - before)).toBe(2)
})
