import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSound, type Sound, soundOf } from '../../sounds/sound.ts'
import type { PlayOptions } from '../driver.ts'
import { SpeakerError } from '../speaker-error.ts'
import { createBrowsers } from './browsers.ts'
import type { BrowserCommand } from './commands.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const oneSecond = soundOf(format, new Uint8Array(48_000))
const responseMs = 1000
const ended = { confirmedBy: 'player' }

interface TestedOptions {
  isForAll?: boolean
  /** The browsers that receive each command, if they are known. */
  asked?: string[]
  isConnected?: boolean
}

function createTested({ isForAll = true, asked, isConnected = false }: TestedOptions = {}) {
  const commands: BrowserCommand[] = []
  const browsers = createBrowsers({
    publish(command) {
      commands.push(command)
      return asked && new Set(asked)
    },
    isConnected: () => isConnected,
    isForAll,
    responseMs,
    notPlayed: () => new SpeakerError('SPEAKER_NOT_REACHABLE', 'not played'),
    closed: () => new SpeakerError('SPEAKER_NOT_REACHABLE', 'closed'),
    noPlayer: (isLocked) => new SpeakerError('NO_PLAYER', isLocked ? 'locked' : 'nobody'),
  })
  const play = (sound: Sound, more: Partial<PlayOptions> = {}) => {
    const { signal } = new AbortController()
    const onFirstSound = vi.fn()
    const options = { signal, volume: 50, text: 'Dinner', onFirstSound, handOut() {}, ...more }
    const played = browsers.play(sound, options)
    // The test awaits it later.
    played.catch(() => {})
    return { played, onFirstSound, id: commands.at(-1)?.id ?? '' }
  }
  return { browsers, commands, play, report: browsers.report }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  expect(vi.getTimerCount(), 'timers that still run').toBe(0)
  vi.useRealTimers()
})

describe('the browsers of a page', () => {
  it('receive the words of a sound as they are made, until it ends', async () => {
    const { commands, play, report } = createTested()
    const sound = createSound(format)
    const { played, id } = play(sound)
    await report(id, 'tablet', 'ready')
    const word = (text: string, startSeconds: number) => ({ text, startSeconds })
    sound.addWords([word('Dinner', 0), word('is', 0.4)])
    sound.append(new Uint8Array(48_000))
    await vi.advanceTimersByTimeAsync(responseMs)
    sound.addWords([word('ready.', 0.8)])
    sound.complete()
    await vi.advanceTimersByTimeAsync(0)
    expect(commands.slice(1)).toEqual([
      { type: 'words', id, words: [word('Dinner', 0), word('is', 0.4)] },
      { type: 'words', id, words: [word('ready.', 0.8)] },
    ])
    await report(id, 'tablet', 'ended')
    expect(await played).toEqual(ended)
  })

  it('all play an offer, which ends when the last one has ended', async () => {
    const { commands, play, report } = createTested()
    const { played, id } = play(oneSecond)
    expect(commands).toEqual([
      { type: 'offer', id, sampleRateHertz: 24_000, volume: 50, text: 'Dinner' },
    ])
    expect(await report(id, 'one', 'ready')).toBe(true)
    expect(await report(id, 'two', 'hidden')).toBe(true)
    await report(id, 'one', 'ended')
    await vi.advanceTimersByTimeAsync(responseMs)
    const isEnded = vi.fn()
    played.then(isEnded)
    await vi.advanceTimersByTimeAsync(responseMs)
    expect(isEnded).not.toHaveBeenCalled()
    await report(id, 'two', 'ended')
    expect(await played).toEqual(ended)
    expect(commands).toHaveLength(1)
  })

  it('end an offer before the time to respond is over, if all have responded', async () => {
    const { play, report } = createTested({ asked: ['one', 'two'] })
    const { played, id } = play(oneSecond)
    await report(id, 'one', 'ready')
    await report(id, 'one', 'ended')
    await report(id, 'two', 'locked')
    expect(await played).toEqual(ended)
  })

  it('report the first sound once', async () => {
    const { play, report } = createTested({ asked: ['one', 'two'] })
    const { played, id, onFirstSound } = play(oneSecond)
    for (const player of ['one', 'two']) await report(id, player, 'ready')
    for (const player of ['one', 'two']) await report(id, player, 'started')
    for (const player of ['one', 'two']) await report(id, player, 'ended')
    await played
    expect(onFirstSound).toHaveBeenCalledOnce()
  })

  it('do not join a sound that the others have begun', async () => {
    const { play, report } = createTested()
    const { played, id } = play(oneSecond)
    await report(id, 'one', 'ready')
    await vi.advanceTimersByTimeAsync(responseMs)
    expect(await report(id, 'two', 'ready')).toBe(false)
    await report(id, 'one', 'ended')
    expect(await played).toEqual(ended)
  })

  it('play each offer once', async () => {
    const { play, report } = createTested({ asked: ['one'] })
    const { played, id } = play(oneSecond)
    expect(await report(id, 'one', 'ready')).toBe(true)
    expect(await report(id, 'one', 'ready')).toBe(false)
    await report(id, 'one', 'ended')
    expect(await report(id, 'one', 'ready')).toBe(false)
    expect(await played).toEqual(ended)
  })

  it('do not count unless they were asked', async () => {
    const { play, report } = createTested({ asked: ['one', 'two'] })
    const { played, id } = play(oneSecond)
    for (const stranger of ['three', 'four', 'five']) {
      expect(await report(id, stranger, 'ready')).toBe(false)
      await report(id, stranger, 'locked')
      await report(id, stranger, 'ended')
    }
    expect(await report(id, 'two', 'ready')).toBe(true)
    await report(id, 'two', 'failed')
    const failed = expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await vi.advanceTimersByTimeAsync(responseMs)
    await failed
  })

  it('are limited to 200', async () => {
    const { play, report } = createTested()
    const { played, id } = play(oneSecond)
    const responses: boolean[] = []
    for (let player = 0; player < 210; player++) {
      responses.push(await report(id, `player${player}`, 'ready'))
    }
    expect(responses.filter(Boolean)).toHaveLength(200)
    for (let player = 0; player < 200; player++) await report(id, `player${player}`, 'ended')
    await vi.advanceTimersByTimeAsync(responseMs)
    expect(await played).toEqual(ended)
  })

  it('have played a sound if one of them has, although the others failed', async () => {
    const { browsers, play, report } = createTested({ asked: ['one', 'two', 'three'] })
    const { played, id } = play(oneSecond)
    for (const player of ['one', 'two', 'three']) await report(id, player, 'ready')
    await report(id, 'one', 'failed')
    browsers.leave('two')
    await report(id, 'three', 'ended')
    expect(await played).toEqual(ended)
  })

  it('have played a sound if one of them has, although another never reports the end', async () => {
    const { play, report } = createTested({ asked: ['one', 'two'] })
    const { played, id } = play(oneSecond)
    for (const player of ['one', 'two']) await report(id, player, 'ready')
    await report(id, 'one', 'ended')
    await vi.advanceTimersByTimeAsync(16_000)
    expect(await played).toEqual(ended)
  })
})

describe('the tabs of the editor', () => {
  it('play an offer in the first visible one, although a hidden one responds before', async () => {
    const { commands, play, report } = createTested({ isForAll: false })
    const { played, id } = play(oneSecond)
    const hidden = report(id, 'hidden', 'hidden')
    expect(await report(id, 'visible', 'ready')).toBe(true)
    expect(await report(id, 'other', 'ready')).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(await hidden).toBe(false)
    await report(id, 'visible', 'ended')
    expect(await played).toEqual(ended)
    expect(commands).toHaveLength(1)
  })

  it('play an offer in a hidden one if no other is open', async () => {
    const { play, report } = createTested({ isForAll: false })
    const { played, id } = play(oneSecond)
    const hidden = report(id, 'hidden', 'hidden')
    await vi.advanceTimersByTimeAsync(100)
    expect(await hidden).toBe(true)
    await report(id, 'hidden', 'ended')
    expect(await played).toEqual(ended)
  })

  it('do not play an offer that ended while they were hidden', async () => {
    const { play, report } = createTested({ isForAll: false })
    const controller = new AbortController()
    const { played, id } = play(oneSecond, { signal: controller.signal })
    const hidden = report(id, 'hidden', 'hidden')
    controller.abort(new Error('stopped'))
    await vi.advanceTimersByTimeAsync(100)
    expect(await hidden).toBe(false)
    await expect(played).rejects.toThrow('stopped')
  })
})

describe.each([true, false])('browsers, where all play: %s', (isForAll) => {
  it('are ready if one of them responds to a probe, which plays nothing', async () => {
    const { browsers, commands, report } = createTested({ isForAll })
    const prepared = browsers.prepare(new AbortController().signal)
    expect(commands).toEqual([{ type: 'probe', id: expect.stringMatching(/^[\w-]{22}$/) }])
    expect(await report(commands[0]!.id, 'one', 'ready')).toBe(false)
    expect(await prepared).toEqual(format)
  })

  it.each([
    ['nobody', []],
    ['locked', ['locked']],
  ] as const)('reject a probe and an offer with the reason "%s"', async (reason, events) => {
    const { browsers, commands, play, report } = createTested({ isForAll })
    const prepared = browsers.prepare(new AbortController().signal)
    const { played } = play(oneSecond)
    for (const { id } of [...commands]) {
      for (const event of events) await report(id, 'one', event)
    }
    const rejections = Promise.all(
      [prepared, played].map((promise) =>
        expect(promise).rejects.toMatchObject({ code: 'NO_PLAYER', message: reason }),
      ),
    )
    await vi.advanceTimersByTimeAsync(responseMs)
    await rejections
  })

  it('have more time if they are connected, but none has responded', async () => {
    const { play, report } = createTested({ isForAll, isConnected: true })
    const { played, id } = play(oneSecond)
    await vi.advanceTimersByTimeAsync(4900)
    expect(await report(id, 'busy', 'ready')).toBe(true)
    await report(id, 'busy', 'ended')
    await vi.advanceTimersByTimeAsync(100)
    expect(await played).toEqual(ended)

    const { played: silent } = play(oneSecond)
    const rejection = expect(silent).rejects.toThrow('nobody')
    await vi.advanceTimersByTimeAsync(5000)
    await rejection
  })

  it('solve the failure of a sound that none could play, once one of them can', async () => {
    const { play, report } = createTested({ isForAll, asked: [] })
    const error = (await play(oneSecond).played.catch((reason) => reason)) as SpeakerError
    const notify = vi.fn()
    const end = error.whenSolved!(notify)
    await report('', 'one', 'unlocked')
    expect(notify).toHaveBeenCalledOnce()
    end()
    await report('', 'one', 'unlocked')
    expect(notify).toHaveBeenCalledOnce()
  })

  it('reject a probe at once if none is connected', async () => {
    const { browsers } = createTested({ isForAll, asked: [] })
    const prepared = browsers.prepare(new AbortController().signal)
    await expect(prepared).rejects.toThrow('nobody')
  })

  it('are stopped by an abort', async () => {
    const { commands, play, report } = createTested({ isForAll })
    const controller = new AbortController()
    const { played, id } = play(oneSecond, { signal: controller.signal })
    await report(id, 'one', 'ready')
    controller.abort(new Error('stopped'))
    await expect(played).rejects.toThrow('stopped')
    expect(commands.at(-1)).toEqual({ type: 'stop', id })
    expect(await report(id, 'one', 'ended')).toBe(false)
  })

  it('are stopped when the sound fails', async () => {
    const { commands, play, report } = createTested({ isForAll })
    const sound = createSound(format)
    const { played, id } = play(sound)
    await report(id, 'one', 'ready')
    sound.fail(new Error('the service is gone'))
    await expect(played).rejects.toThrow('the service is gone')
    expect(commands.at(-1)).toEqual({ type: 'stop', id })
  })

  it.each(['failed', 'leave'])('fail if the only one is closed in the middle: %s', async (how) => {
    const { browsers, play, report } = createTested({ isForAll, asked: ['one'] })
    const { played, id } = play(oneSecond)
    await report(id, 'one', 'ready')
    if (how === 'leave') browsers.leave('one')
    else await report(id, 'one', 'failed')
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  })

  it('fail 15 seconds after the end of the sound if the only one never reports the end', async () => {
    const { commands, play, report } = createTested({ isForAll })
    const sound = createSound(format)
    const { played, id } = play(sound)
    await report(id, 'one', 'ready')
    // The sound grows for longer than the limit.
    await vi.advanceTimersByTimeAsync(60_000)
    sound.append(new Uint8Array(96_000))
    sound.complete()
    await vi.advanceTimersByTimeAsync(16_999)
    expect(commands).toHaveLength(1)
    const rejection = expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await vi.advanceTimersByTimeAsync(1)
    await rejection
    expect(commands.at(-1)).toEqual({ type: 'stop', id })
  })

  it('ignore 10,000 reports about offers that do not exist', async () => {
    const { play, report } = createTested({ isForAll, asked: ['one'] })
    const { played, id } = play(oneSecond)
    for (let index = 0; index < 10_000; index++) {
      expect(await report(`id${index}`, 'one', 'ready')).toBe(false)
      expect(await report(id, `player${index}`, 'ended')).toBe(false)
    }
    await report(id, 'one', 'ready')
    await report(id, 'one', 'ended')
    expect(await played).toEqual(ended)
  })

  it('reject what they play when the speaker is closed', async () => {
    const { browsers, commands, play, report } = createTested({ isForAll })
    const { played, id } = play(oneSecond)
    await report(id, 'one', 'ready')
    await browsers.close()
    await expect(played).rejects.toThrow('closed')
    expect(commands.at(-1)).toEqual({ type: 'stop', id })
  })
})
