import { once } from 'node:events'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { closeWithPage, useSpeakerPage } from '@parlando/test-support/speakers/use-speaker-page'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { serveMicrophonePages } from '../../../microphones/page/page-routes.ts'
import { type Sound, soundOf } from '../../../sounds/sound.ts'
import type { PlayOptions } from '../../driver.ts'
import { speakerClosed } from '../../speaker-error.ts'
import { pageSpeaker, servePageDrivers } from './page.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const soundAt = (hertz: number, seconds = 0.3) =>
  soundOf(format, tone({ ...format, hertz, seconds }))

it('speakers whose pages have the same address are one device, and never play at the same time', async () => {
  const http = await startFakeHttpRed()
  const { devices } = pageSpeaker(http.RED)
  expect(devices!({ name: 'Living room' })).toEqual(devices!({ page: 'living-room' }))
  expect(devices!({})).toEqual(devices!({ name: '' }))
  expect(devices!({})).not.toEqual(devices!({ name: 'Kitchen' }))
  await http.close()
})

describe('a page', () => {
  const page = useSpeakerPage()
  const { get, tokenFor } = page
  const play = (sound: Sound, more: Partial<PlayOptions> = {}) =>
    page.driver().play(sound, {
      signal: AbortSignal.timeout(20_000),
      volume: 100,
      onFirstSound() {},
      handOut() {},
      ...more,
    })
  it('is listed with the pages of microphones, and with the number of browsers that have it open', async () => {
    const microphone = serveMicrophonePages(page.http().RED).open('Desk <b>', {
      settings: { mode: 'push', speaker: '' },
      onRecording: () => ({ push() {}, end() {} }),
      onChange() {},
    })
    const browser = await openPage(page.http().baseUrl, 'living-room')
    const response = await fetch(`${page.http().baseUrl}/parlando/page-list`)
    expect(await response.json()).toEqual([
      { kind: 'microphone', path: 'desk-<b>', name: 'Desk <b>', open: 0 },
      { kind: 'speaker', path: 'living-room', name: 'Living room', open: 1 },
    ])
    for (const address of ['parlando', 'parlando/speaker', 'parlando/microphone/']) {
      const url = `${page.http().baseUrl}/${address}`
      const { headers } = await fetch(url, { redirect: 'manual' })
      expect(new URL(headers.get('location')!, url).pathname).toBe('/parlando/')
    }
    browser.close()
    await microphone?.close()
  })

  it('plays in every browser that has opened it, at the wanted volume', async () => {
    const browsers = [
      await openPage(page.http().baseUrl, 'living-room'),
      await openPage(page.http().baseUrl, 'Living Room'),
    ]
    const recordings = await Promise.all(browsers.map(({ record }) => record()))
    await play(soundAt(600), { volume: 50 })
    for (const recording of recordings) {
      const { tonesHertz, loudnessDb } = await recording.stop()
      expect(tonesHertz).toEqual([600])
      // A sine of -10 dB has a level of -13 dB.
      expect(loudnessDb).toBeCloseTo(-13 - 6, 0)
    }
    for (const browser of browsers) browser.close()
  })

  it('keeps playing in a browser that loses its connection for a moment', async () => {
    const browser = await openPage(page.http().baseUrl, 'living-room')
    const recording = await browser.record()
    await play(soundAt(600, 0.6), { onFirstSound: () => void browser.reconnect() })
    const { tonesHertz, durationMs } = await recording.stop()
    expect(tonesHertz).toEqual([600])
    expect(durationMs).toBeGreaterThan(550)
    browser.close()
  })

  it('fails if its only browser is closed in the middle', async () => {
    const browser = await openPage(page.http().baseUrl, 'living-room')
    const played = play(soundAt(600, 100), { onFirstSound: () => browser.close() })
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  })

  it('stays connected while a deploy replaces its speaker', async () => {
    const browser = await openPage(page.http().baseUrl, 'living-room')
    await page.deploy()
    const recording = await browser.record()
    await play(soundAt(800))
    expect((await recording.stop()).tonesHertz).toEqual([800])
    browser.close()
  })

  it('stops when the speaker of its sound is deleted', async () => {
    const browser = await openPage(page.http().baseUrl, 'living-room')
    let onFirstSound = () => {}
    const heard = new Promise<void>((resolve) => {
      onFirstSound = resolve
    })
    const failure = play(soundAt(600, 100), { onFirstSound }).catch((error) => error)
    await heard
    await closeWithPage(page.driver())
    const { code, message } = speakerClosed(page.http().RED)
    expect(await failure).toMatchObject({ code, message })
    await vi.waitFor(() => expect(browser.commands.at(-1)).toMatchObject({ type: 'stop' }))
    browser.close()
  })

  it('ignores a report whose id is not a text', async () => {
    const report = await get('living-room/report?id[toString]=x&player=p&event=ended', {
      method: 'POST',
    })
    expect(await report.json()).toEqual({ play: false })
  })

  it('does not exist without a speaker of that name', async () => {
    const name = encodeURIComponent('<img onerror=alert(1)>'.padEnd(5000, 'x'))
    const response = await get(name)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await response.text()).length).toBeLessThan(300)
    expect((await get(`${name}/events?player=a`)).status).toBe(404)
  })

  it('has one address: a slash at its end is removed', async () => {
    const response = await get('Living%20Room/', { redirect: 'manual' })
    expect(response.headers.get('location')).toBe('../living-room')
  })

  it('accepts 200 connections; the one that is silent for longest makes room for the next one', async () => {
    const browsers = []
    for (let index = 0; index < 200; index++) {
      browsers.push(
        await openPage(page.http().baseUrl, 'living-room', { player: `player${index}` }),
      )
    }
    browsers.push(await openPage(page.http().baseUrl, 'living-room', { player: 'player1' }))
    browsers.push(await openPage(page.http().baseUrl, 'living-room', { player: 'other' }))
    await browsers[0]!.disconnected
    const [, , kept, ...others] = browsers
    await play(soundAt(600, 0.1))
    expect(kept!.commands).not.toEqual([])
    expect(others.at(-1)!.commands).not.toEqual([])
    for (const browser of browsers) browser.close()
  })

  const eventsStatus = async (query: Record<string, string>) => {
    const response = await get(`living-room/events?${new URLSearchParams(query)}`)
    await response.body?.cancel()
    return response.status
  }

  it.each(['', 'a b', '<b>', 'x'.repeat(65)])(
    'rejects a browser with the id %j',
    async (player) => {
      expect(await eventsStatus({ player, token: await tokenFor() })).toBe(404)
    },
  )

  it('sends its commands only to a connection with a token, which is valid once', async () => {
    const token = await tokenFor()
    expect(await eventsStatus({ player: 'a' })).toBe(403)
    expect(await eventsStatus({ player: 'a', token })).toBe(200)
    expect(await eventsStatus({ player: 'a', token })).toBe(403)
  })

  it('sends its commands over a WebSocket, which ends when the browser sends something', async () => {
    const socket = new WebSocket(await page.socketUrl('socket'))
    await once(socket, 'open')
    const message = once(socket, 'message')
    const failed = expect(play(soundAt(600))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
    })
    const { id, type } = JSON.parse(String((await message)[0]))
    expect(type).toBe('offer')
    const report = (player: string, event: string) =>
      get(`living-room/report?${new URLSearchParams({ id, player, event })}`, { method: 'POST' })
    expect(await (await report('stranger', 'ready')).json()).toEqual({ play: false })
    expect(await (await report('socket', 'ready')).json()).toEqual({ play: true })
    await report('socket', 'failed')
    await failed
    socket.send('?')
    await once(socket, 'close')
  })

  it('is not for pages of other websites', async () => {
    const headers = { origin: 'https://evil.example' }
    expect((await get('living-room/token', { method: 'POST', headers })).status).toBe(403)
    const socket = new WebSocket(await page.socketUrl('a'), { headers })
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.resume().statusCode).toBe(403)
  })

  it('gives the audio only to browsers that were asked to play it', async () => {
    const browser = await openPage(page.http().baseUrl, 'living-room')
    const played = play(soundAt(600))
    await vi.waitFor(() => expect(browser.commands).toHaveLength(1))
    const [{ id } = { id: '' }] = browser.commands
    expect((await get(`living-room/audio?id=${id}&player=other`)).status).toBe(404)
    expect((await get(`living-room/audio?id=other&player=${browser.player}`)).status).toBe(404)
    await played
    expect((await get(`living-room/audio?id=${id}&player=${browser.player}`)).status).toBe(404)
    browser.close()
  })
})

it('a page that does not read its events is disconnected', async () => {
  const http = await startFakeHttpRed()
  const driver = servePageDrivers(http.RED)('Kitchen')
  const page = `${http.baseUrl}/parlando/speaker/kitchen`
  const response = await fetch(`${page}/token`, { method: 'POST' })
  const { token } = (await response.json()) as { token: string }
  const { body } = await fetch(`${page}/events?player=slow&token=${token}`)
  const reader = body!.getReader()
  await reader.read()
  const text = 'x'.repeat(1_000_000)
  const signal = AbortSignal.timeout(20_000)
  const options = { signal, volume: 100, text, onFirstSound() {}, handOut() {} }
  const failures: string[] = []
  // The operating system buffers several megabytes.
  while (failures.length < 40) {
    const error = await driver.play(soundAt(600), options).catch((error) => error)
    failures.push(error.message)
    if (error.message.startsWith('Nobody')) break
  }
  expect(failures.at(-1)).toMatch(/^Nobody has opened the page/)
  await closeWithPage(driver)
  await http.close()
})
