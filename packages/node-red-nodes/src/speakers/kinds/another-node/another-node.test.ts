import type { NodeAPI } from 'node-red'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../../../sounds/sound.ts'
import { createSoundStore } from '../../../sounds/to-play/sound-store.ts'
import type { PlayOptions } from '../../driver.ts'
import { anotherNodeSpeaker, createAnotherNodeDriver } from './another-node.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const format: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }

/** MP3 frames of silence: each lasts 26 ms. */
const mp3 = (seconds: number) => {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb90c4)
  return Buffer.alloc(frame.length * Math.round((seconds * 44_100) / 1152), frame)
}

/** A driver, the messages that it hands out, and a player that fetches from its store. */
function useDriver(config: Record<string, unknown> = {}) {
  const addressOf = () => ({ baseUrl: 'http://localhost:1880', warning: 'loopback' as const })
  const sounds = createSoundStore({ addressOf })
  const RED = { _: (key: string, values: object) => `${key} ${JSON.stringify(values)}` } as Pick<
    NodeAPI,
    '_'
  >
  const driver = createAnotherNodeDriver({ RED, sounds, config })
  const messages: Record<string, unknown>[] = []
  const play = (sound: Sound, options: Partial<PlayOptions> = {}) =>
    driver.play(sound, {
      signal: new AbortController().signal,
      volume: 40,
      onFirstSound() {},
      handOut: (message) => void messages.push(message),
      ...options,
    })
  const stored = (index = 0) => sounds.find(String(messages[index]!['url']).split('/').at(-1)!)
  return { driver, messages, play, stored }
}

/** How long a playback takes, in seconds. */
async function secondsUntil(played: Promise<unknown>): Promise<number> {
  let hasEnded = false
  void played.then(() => {
    hasEnded = true
  })
  let seconds = 0
  for (; !hasEnded; seconds += 0.1) await vi.advanceTimersByTimeAsync(100)
  return seconds
}

describe('a sound that another node plays', () => {
  it('is handed out as a message for the node of the player, with the volume', async () => {
    const { play, messages } = useDriver({ player: 'castv2', address: '', response: 'file' })
    const played = play(soundOf(format, mp3(1)))
    const url = expect.stringMatching(/^http:\/\/localhost:1880\/parlando\/sounds\/[\w-]{22}\.mp3$/)
    const media = { url, contentType: 'audio/mpeg' }
    expect(messages).toEqual([{ payload: { type: 'MEDIA', media }, url, volume: 40 }])
    anotherNodeSpeaker.notePlayed!(messages[0]!['url'])
    await played
  })

  it('is handed out to sonos-plus when its length is known, and leaves its volume alone', async () => {
    const { play, messages, stored } = useDriver({ player: 'sonos-plus' })
    const sound = createSound(format)
    const played = play(sound)
    sound.append(mp3(2.5))
    expect(messages).toEqual([])
    sound.complete()
    await vi.advanceTimersByTimeAsync(0)
    const url = messages[0]!['url']
    const topic = 'group.play.notification'
    expect(messages).toEqual([{ payload: url, url, topic, duration: '00:00:04' }])
    stored()!.noteFetch()
    stored()!.noteSent()
    // Until sonos-plus has restored what was playing.
    expect(await secondsUntil(played)).toBeCloseTo(6.5, 0)
  })

  it('has ended when a message says so, and then has no address', async () => {
    const { play, messages, stored } = useDriver()
    const first = play(soundOf(format, mp3(1)))
    const second = play(soundOf(format, mp3(1)))
    anotherNodeSpeaker.notePlayed!(messages[1]!['url'])
    expect(await second).toEqual({ confirmedBy: 'player' })
    expect(stored(1)).toBeUndefined()
    expect(stored(0)).toBeDefined()
    anotherNodeSpeaker.notePlayed!('http://elsewhere/')
    // The node of a player may keep nothing of the message.
    anotherNodeSpeaker.notePlayed!(undefined)
    expect(await first).toEqual({ confirmedBy: 'player' })
  })

  it('has ended a second after its duration if nothing says so', async () => {
    const { play, stored } = useDriver()
    const onFirstSound = vi.fn()
    const played = play(soundOf(format, mp3(10)), { onFirstSound })
    await vi.advanceTimersByTimeAsync(2000)
    expect(onFirstSound).not.toHaveBeenCalled()
    stored()!.noteFetch()
    stored()!.noteSent()
    expect(await secondsUntil(played)).toBeCloseTo(11, 0)
    expect(await played).toEqual({ confirmedBy: 'duration' })
    expect(onFirstSound).toHaveBeenCalledOnce()
  })

  it.each([
    ['adaptive', 4 + 60 + 1],
    ['file', 50 + 60 + 1],
  ])(
    'that took 50 s to make has ended when the slowest player has (%s)',
    async (response, seconds) => {
      const { play, stored } = useDriver({ response })
      const sound = createSound(format)
      const played = play(sound)
      stored()!.noteFetch()
      await vi.advanceTimersByTimeAsync(50_000)
      sound.append(mp3(60))
      sound.complete()
      stored()!.noteSent()
      expect(50 + (await secondsUntil(played))).toBeCloseTo(seconds, 0)
    },
  )

  it('fails with NOT_FETCHED and a hint when no player fetches it within 5 s', async () => {
    const { play } = useDriver()
    const played = play(soundOf(format, mp3(1)))
    const expected = expect(played).rejects.toMatchObject({
      code: 'NOT_FETCHED',
      message: expect.stringMatching(/address\.error\.not-fetched .*address\.warning\.loopback/),
    })
    await vi.advanceTimersByTimeAsync(5000)
    await expected
  })

  it('fails when the player fetches only a part of it', async () => {
    const { play, stored } = useDriver()
    const played = play(soundOf(format, mp3(1)))
    stored()!.noteFetch()
    const expected = expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await vi.advanceTimersByTimeAsync(11_100)
    await expected
  })

  it.each([
    ['plain', { payload: '' }],
    ['sonos-plus', { payload: '', topic: 'group.stop' }],
    ['castv2', { payload: { type: 'STOP' } }],
    ['home-assistant', { payload: { action: 'media_player.media_stop' } }],
    ['dashboard-2', { payload: '', playback: 'stop' }],
    ['vlc', { payload: 'stop\n' }],
  ])('is stopped by a message for %s', async (player, expected) => {
    const { play, messages, stored } = useDriver({ player })
    const controller = new AbortController()
    const played = play(soundOf(format, mp3(1)), { signal: controller.signal })
    await vi.advanceTimersByTimeAsync(0)
    controller.abort(new Error('stopped'))
    await expect(played).rejects.toThrow('stopped')
    expect(messages[1]).toEqual({ ...expected, stop: true, url: messages[0]!['url'] })
    expect(stored()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is stopped when the speaker is closed', async () => {
    const { driver, play, messages } = useDriver()
    const played = play(soundOf(format, mp3(1)))
    await driver.close()
    await expect(played).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('speaker.error.closed'),
    })
    expect(messages[1]).toMatchObject({ stop: true })
  })
})
