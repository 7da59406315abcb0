import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startMusicAssistant } from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createMusicAssistantDriver, musicAssistantSpeaker } from './music-assistant.ts'

const RED = speakerTexts.en

let server: Awaited<ReturnType<typeof serveSounds>>
let musicAssistant: Awaited<ReturnType<typeof startMusicAssistant>>
beforeAll(async () => {
  server = await serveSounds()
  const players = { rejects: 'rejects', hangs: 'hangs', away: 'unavailable' } as const
  musicAssistant = await startMusicAssistant(players, { environment: process.env })
})
afterAll(async () => {
  await musicAssistant.close()
  await server.close()
})

const configOf = (more: object) => ({
  musicAssistantAddress: musicAssistant.address,
  musicAssistantToken: musicAssistant.token,
  musicAssistantPlayer: 'rejects',
  ...more,
})

const play = async (more: object, volume = 50) => {
  const { sounds } = server
  const config = configOf(more)
  // A busy machine needs as long as that for a rejection, too.
  const fetchLimitMs = config.musicAssistantPlayer === 'hangs' ? 200 : 20_000
  const driver = createMusicAssistantDriver({ RED, sounds, config, fetchLimitMs })
  onTestFinished(() => driver.close())
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
  return driver.play(sound, { signal, volume, onFirstSound() {}, handOut() {} })
}

describe('a speaker of Music Assistant says what is wrong', () => {
  it.each<[object, string, string]>([
    [{ musicAssistantAddress: '' }, 'NO_PLAYER', 'does not know Music Assistant'],
    [{ musicAssistantToken: '' }, 'NO_PLAYER', 'does not know Music Assistant'],
    [{ musicAssistantAddress: 'http://ma.example.com' }, 'NO_PLAYER', 'cannot be the address'],
    [{ musicAssistantPlayer: ' ' }, 'NO_PLAYER', 'No player of Music Assistant is chosen'],
    [{ musicAssistantPlayer: 'gone' }, 'NO_PLAYER', 'has no player "gone"'],
    [{ musicAssistantPlayer: 'away' }, 'SPEAKER_NOT_REACHABLE', 'cannot reach away'],
    [{ musicAssistantPlayer: 'hangs' }, 'NOT_FETCHED', 'address.error.not-fetched'],
    [{}, 'SPEAKER_REFUSED', 'rejects the sound (The player cannot play)'],
    [{ musicAssistantAddress: unreachableUrl }, 'SPEAKER_NOT_REACHABLE', 'is not reachable at'],
  ])('with the settings %j', async (config, code, message) => {
    await expect(play(config)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })
})

it('an announcement has no chime of Music Assistant, and a share of the present volume', async () => {
  await expect(play({})).rejects.toThrow('rejects')
  const command = 'players/cmd/play_announcement'
  const sent = musicAssistant.commands.filter((each) => each['command'] === command).at(-1)!
  const url = expect.stringMatching(/^http:.*\.mp3$/)
  const volume = Math.round(80 * Math.cbrt(0.5))
  expect(sent['args']).toEqual({
    ...{ player_id: 'rejects', url },
    ...{ pre_announce: false, volume_level: volume },
  })
})

it('an announcement connects once, and again after a restart of Music Assistant', async () => {
  const { sounds } = server
  const driver = createMusicAssistantDriver({ RED, sounds, config: configOf({}) })
  onTestFinished(() => driver.close())
  const opened = () =>
    musicAssistant.commands.filter(({ command }) => command === 'players/get').length
  const before = opened()
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
  const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound, options)).rejects.toThrow('rejects')
  expect(opened() - before).toBe(1)
  await driver.prepare(signal)
  musicAssistant.restart()
  const reason = () => driver.play(sound, options).catch(({ message }) => message)
  await expect.poll(reason).toContain('rejects')
})

it('an announcement that Music Assistant never ends does not hold the next one', async () => {
  const { sounds } = server
  const config = configOf({ musicAssistantPlayer: 'hangs' })
  const driver = createMusicAssistantDriver({ RED, sounds, config, fetchLimitMs: 100 })
  onTestFinished(() => driver.close())
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
  const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound, options)).rejects.toMatchObject({ code: 'NOT_FETCHED' })
  await expect(driver.play(sound, options)).rejects.toMatchObject({ code: 'NOT_FETCHED' })
})

it('the host that fetches sounds is that of Music Assistant', () => {
  const hostOf = (musicAssistantAddress: string) =>
    musicAssistantSpeaker.playerHost!({ musicAssistantAddress })
  expect(hostOf(' http://ma.local:8095/ ')).toBe('ma.local')
  expect(hostOf('http://[::1]:8095')).toBe('::1')
})

it('a player of another server is another device', () => {
  const devices = (musicAssistantAddress: string) =>
    musicAssistantSpeaker.devices!({ musicAssistantAddress, musicAssistantPlayer: ' kitchen ' })
  expect(devices('http://hub:8095/')).toEqual(devices('HUB:8095'))
  expect(devices('http://hub:8095')).not.toEqual(devices('http://cabin:8095'))
})

it('the form lists the players, also those that are away', async () => {
  const { sounds } = server
  const context = { RED: RED as never, sounds, config: configOf({}) }
  const listed = await musicAssistantSpeaker.listDevices!(context, AbortSignal.timeout(10_000))
  expect(listed).toEqual([
    { id: 'rejects', name: 'rejects', room: '', abilities: ['announces', 'volume'] },
    { id: 'hangs', name: 'hangs', room: '', abilities: ['announces', 'volume'] },
    { id: 'away', name: 'away', room: '', abilities: ['away', 'announces', 'volume'] },
  ])
})
