import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import type { RecordedSound } from '@parlando/test-support/audio/recorded-sound'
import { freePort } from '@parlando/test-support/free-port'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { findProgram, needs } from '@parlando/test-support/programs'
import { type Browser, chromium, type Page, type WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

const executablePath = findProgram('chromium')

interface Tones {
  hertz: readonly number[]
  /** Of each tone. */
  seconds?: number
  /** The tones after the second one are sent one by one, in real time. */
  isGrowing?: boolean
  speakers?: string
  volume?: number
}

/** Sends tones to *play*, each as a chunk if the sound grows. */
const sendTones = `
const { hertz, seconds = 0.4, isGrowing, speakers = 'Kitchen', volume } = msg.payload
const audio = { encoding: 'PCM', sampleRateHertz: 24000 }
const tone = (hertz) => {
  const pcm = Buffer.alloc(2 * Math.round(24000 * seconds))
  for (let at = 0; at < pcm.length; at += 2) {
    pcm.writeInt16LE(Math.round(10000 * Math.sin(Math.PI * hertz * at / 24000)), at)
  }
  return pcm
}
const base = { ...msg, audio, speakers, volume }
if (!isGrowing) return { ...base, payload: Buffer.concat(hertz.map(tone)) }
hertz.forEach((each, index) => {
  const isLast = index === hertz.length - 1
  const parts = { id: msg._msgid, index, ...(isLast && { count: hertz.length }) }
  const message = { ...base, payload: tone(each), parts, complete: isLast || undefined }
  setTimeout(() => node.send(message), 1000 * seconds * Math.max(0, index - 1))
})
`

const nodes = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen' },
  { id: 'stairs', type: 'parlando-speaker', kind: 'page', name: '<i>Stairs</i> & "Hall"' },
  { id: 'post', type: 'http in', z: 'tab', url: '/play', method: 'post', wires: [['tones']] },
  { id: 'tones', type: 'function', z: 'tab', func: sendTones, outputs: 1, wires: [['play']] },
  { id: 'stop', type: 'http in', z: 'tab', url: '/stop', method: 'post', wires: [['stopped']] },
  {
    id: 'stopped',
    type: 'function',
    z: 'tab',
    func: 'return [{ stop: true }, msg]',
    outputs: 2,
    wires: [['play'], ['sent']],
  },
  { id: 'play', type: 'parlando-play', z: 'tab', wires: [['heard']] },
  {
    id: 'heard',
    type: 'function',
    z: 'tab',
    func: "msg.payload = 'heard'; return msg",
    outputs: 1,
    wires: [['sent']],
  },
  { id: 'catch', type: 'catch', z: 'tab', scope: ['play'], wires: [['failed']] },
  {
    id: 'failed',
    type: 'function',
    z: 'tab',
    func: "msg.payload = msg.error.code + ' ' + msg.error.message; return msg",
    outputs: 1,
    wires: [['sent']],
  },
  { id: 'sent', type: 'http response', z: 'tab', statusCode: '200', wires: [] },
]

// Node-RED treats a node without a position as a configuration node.
const flow = nodes.map((node) => ('z' in node ? { x: 0, y: 0, ...node } : node))

describe('a browser as speaker', needs('chromium', ...pulsePrograms), () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { port: await freePort() })
    browser = await chromium.launch({
      executablePath,
      // With its default of 10 ms, a busy machine interrupts the sound of the browser.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--audio-buffer-size=2048',
      ],
      ignoreDefaultArgs: ['--mute-audio'],
      env: pulse.environment as Record<string, string>,
    })
  }, 120_000)
  // Another try must not find the pages of a failed one.
  afterEach(async () => {
    const pages = browser.contexts().flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => page.close()))
  })
  afterAll(async () => {
    await browser?.close()
    await nodeRed?.close()
    await pulse?.stop()
  })

  /** Presses the button of the form that plays a chime. */
  const test = async (speaker: object) => {
    const response = await fetch(`${nodeRed.baseUrl}/parlando/test-speaker`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ speaker }),
    })
    const { message, error } = (await response.json()) as {
      message?: string
      error?: { code: string; message: string }
    }
    return message ?? `${error?.code} ${error?.message}`
  }

  /** Resolves when the tones were heard, or with the error. */
  const play = async (tones: Tones) => {
    const response = await fetch(`${nodeRed.baseUrl}/play`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(tones),
    })
    return await response.text()
  }

  const record = async (action: () => Promise<unknown>): Promise<RecordedSound> => {
    const recording = await pulse.record()
    await action()
    return await recording.stop()
  }

  const openEditor = async () => {
    const page = await browser.newPage()
    await page.goto(nodeRed.baseUrl)
    await page.locator('.red-ui-palette-node[data-palette-type="parlando-speak"]').waitFor()
    await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
    return page
  }

  const openSpeakerPage = async () => {
    const page = await browser.newPage()
    await page.goto(`${nodeRed.baseUrl}/parlando/speaker/kitchen`)
    await page.locator('.connected').waitFor()
    return page
  }
  const tap = async (page: Page) => {
    await page.click('#tap')
    await page.locator('#tap').waitFor({ state: 'hidden' })
  }
  const setVolume = (page: Page, percent: number) => page.locator('#volume').fill(String(percent))

  it('is the editor, once somebody has clicked in it', async () => {
    expect(await test({ kind: 'editor' })).toMatch(/^NO_PLAYER No editor is open/)
    const tab = await openEditor()
    expect(await test({ kind: 'editor' })).toMatch(
      /^NO_PLAYER The browser does not allow .* click once/,
    )
    await tab.mouse.click(600, 400)
    // The browser takes a moment to allow sound.
    await vi.waitFor(async () => expect(await test({ kind: 'editor' })).toMatch(/^Played/), 20_000)
    const { tonesHertz } = await record(async () => {
      expect(await test({ kind: 'editor' })).toMatch(
        /^Played to the end in \d\.\d s, as the speaker reports/,
      )
    })
    expect(tonesHertz).toEqual([700, 500])

    // Only the visible one of two tabs plays.
    const other = await openEditor()
    await other.mouse.click(600, 400)
    const played: string[] = []
    for (const [name, page] of Object.entries({ tab, other })) {
      page.on('request', (request) => {
        if (request.url().includes('/editor-speaker/audio')) played.push(name)
      })
    }
    await tab.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }),
    )
    const playOne = async () => {
      played.length = 0
      await play({ hertz: [600], speakers: 'editor' })
      return played
    }
    // The browser takes a moment to allow sound in this tab, too.
    await vi.waitFor(async () => expect(await playOne()).toEqual(['other']), 20_000)
    await other.close()
    await vi.waitFor(async () => expect(await playOne()).toEqual(['tab']), 20_000)
  })

  describe('that has opened a page', () => {
    let page: Page
    beforeEach(async () => {
      page = await openSpeakerPage()
    })

    it('plays once somebody has tapped it', async () => {
      const speaker = { kind: 'page', name: 'Kitchen' }
      expect(await test(speaker)).toMatch(/^NO_PLAYER .* tap once/)
      expect(await play({ hertz: [600] })).toMatch(/^NO_PLAYER .* tap once/)
      await expect.poll(() => nodeRed.statuses('play').at(-1)).toMatch(/NO_PLAYER/)
      await tap(page)
      await expect.poll(() => nodeRed.statuses('play').at(-1)).toBe('')
      const { tonesHertz } = await record(async () => {
        expect(await test(speaker)).toMatch(/^Played to the end/)
      })
      expect(tonesHertz).toEqual([700, 500])
      await page.close()
      expect(await test(speaker)).toMatch(
        /^NO_PLAYER Nobody has opened the page .*\/parlando\/speaker\/kitchen/,
      )
    })

    it('plays a sound that grows, in order and without gaps, and then the next one', async () => {
      await tap(page)
      const hertz = [500, 700, 900, 1100, 1300, 1500, 1700]
      const heard = await record(async () => {
        const growing = play({ hertz, isGrowing: true })
        await page.locator('.saying').waitFor()
        expect(await Promise.all([growing, play({ hertz: [400] })])).toEqual(['heard', 'heard'])
      })
      expect(heard.tonesHertz).toEqual([...hertz, 400])
      // The only one is between the two sounds.
      const gaps = heard.gaps.filter(({ ms }) => ms > 60)
      expect(gaps).toHaveLength(1)
      expect(gaps[0]!.at - heard.onsetAt).toBeGreaterThan(hertz.length * 400 - 50)
    })

    it('is silent at once when the sound is stopped', async () => {
      await tap(page)
      let stoppedAt = 0
      const heard = await record(async () => {
        const played = play({ hertz: [600], seconds: 30 })
        played.catch(() => {})
        await page.locator('.saying').waitFor()
        await page.waitForTimeout(600)
        await fetch(`${nodeRed.baseUrl}/stop`, { method: 'POST' })
        stoppedAt = performance.now()
        await page.locator('body:not(.saying)').waitFor()
        await page.waitForTimeout(300)
      })
      expect(heard.tonesHertz).toEqual([600])
      expect(heard.endAt).toBeLessThan(stoppedAt + 250)
    })

    it('plays music on, softer, under an announcement', async () => {
      await tap(page)
      const recording = await pulse.record()
      const played = play({ hertz: [600], seconds: 30 })
      played.catch(() => {})
      await recording.heard
      await page.waitForTimeout(600)
      const beginsAt = performance.now()
      // A silent announcement, whose level does not add to that of the music.
      const silent = { volume: 0, leadIn: 1000, leadOut: 1000 }
      const speaker = { kind: 'page', name: 'Kitchen', music: 'softer', ...silent }
      expect(await test(speaker)).toMatch(/^Played to the end/)
      const endsAt = performance.now()
      await page.waitForTimeout(2000)
      const heard = await recording.stop()
      await fetch(`${nodeRed.baseUrl}/stop`, { method: 'POST' })
      const before = heard.loudnessBetween(beginsAt - 400, beginsAt)
      const under = heard.loudnessBetween(endsAt - 1500, endsAt - 1000)
      const after = heard.loudnessBetween(endsAt + 1500, endsAt + 1900)
      expect(Math.abs(under - before + 14)).toBeLessThan(2)
      expect(Math.abs(after - before)).toBeLessThan(1)
    })

    it('reports the error at once when it is closed in the middle', async () => {
      await tap(page)
      const played = play({ hertz: [600], seconds: 30 })
      await page.locator('.saying').waitFor()
      await page.close({ runBeforeUnload: false })
      expect(await played).toMatch(/^SPEAKER_NOT_REACHABLE The browser was closed/)
    })

    it('plays at the volume of the message and of its own slider', async () => {
      await tap(page)
      const levelAt = async (volume: number, own: number) => {
        await setVolume(page, own)
        return (await record(() => play({ hertz: [600], volume }))).loudnessDb
      }
      const full = await levelAt(100, 100)
      // A sine whose amplitude is 10,000 of 32,768.
      expect(Math.abs(full + 13.3)).toBeLessThan(1)
      expect(Math.abs((await levelAt(50, 100)) - full + 6)).toBeLessThan(1)
      expect(Math.abs((await levelAt(100, 25)) - full + 12)).toBeLessThan(1)
    })

    it('plays together with the other browsers that have opened the page', async () => {
      const other = await openSpeakerPage()
      for (const each of [page, other]) await tap(each)
      for (const silent of [page, other]) {
        for (const each of [page, other]) await setVolume(each, each === silent ? 0 : 100)
        expect((await record(() => play({ hertz: [800] }))).tonesHertz).toEqual([800])
      }
      await other.close()
    })

    it('leaves room for seven more pages in the same browser', async () => {
      const context = await browser.newContext()
      // Browsers open at most six connections to one host; WebSockets do not count.
      for (let count = 0; count < 8; count++) {
        const next = await context.newPage()
        await next.goto(page.url())
        await next.locator('.connected').waitFor()
      }
      await context.close()
    })

    it('receives events where a proxy passes on no WebSocket', async () => {
      await page.addInitScript(() => {
        Object.assign(window, {
          WebSocket: class {
            constructor() {
              setTimeout(() => (this as unknown as WebSocket).onclose?.(new CloseEvent('close')))
            }
            close() {}
          },
        })
      })
      const events = page.waitForRequest('**/events?*')
      await page.reload()
      await events
      await page.locator('.connected').waitFor()
      await tap(page)
      expect((await record(() => play({ hertz: [900] }))).tonesHertz).toEqual([900])
    })

    it('plays again after a restart of Node-RED', async () => {
      await tap(page)
      const port = Number(new URL(nodeRed.baseUrl).port)
      await nodeRed.close()
      await page.getByText('Not connected to Node-RED').waitFor()
      nodeRed = await startNodeRed(flow, { port })
      await page.locator('.connected').waitFor()
      expect((await record(() => play({ hertz: [900] }))).tonesHertz).toEqual([900])
    })

    it('shows the name of the speaker as people have written it', async () => {
      const name = encodeURIComponent('<i>stairs<-i>-&-"hall"')
      await page.goto(`${nodeRed.baseUrl}/parlando/speaker/${name}`)
      expect(await page.title()).toBe('<i>Stairs</i> & "Hall"')
      expect(await page.locator('h1').textContent()).toBe('<i>Stairs</i> & "Hall"')
    })

    it('lists the alarms that somebody must acknowledge, each with a button', async () => {
      let socket: WebSocketRoute | undefined
      await page.routeWebSocket('**/socket?*', (opened) => {
        socket = opened
      })
      const acknowledged: string[] = []
      await page.route('**/acknowledge*', async (route) => {
        const id = new URL(route.request().url()).searchParams.get('id')!
        acknowledged.push(id)
        await route.fulfill({ status: 204 })
        socket!.send(
          JSON.stringify({ type: 'alarms', alarms: alarms.filter((one) => one.id !== id) }),
        )
      })
      const alarms = ['cellar', 'attic'].map((id) => ({ id, text: `<b>Water</b> in the ${id}` }))
      await page.reload()
      await page.locator('.connected').waitFor()
      socket!.send(JSON.stringify({ type: 'alarms', alarms }))
      await page.getByRole('button', { name: 'Acknowledge: <b>Water</b> in the attic' }).click()
      await page.getByText('in the attic').waitFor({ state: 'hidden' })
      expect(acknowledged).toEqual(['attic'])
      expect(await page.getByText('<b>Water</b> in the cellar').isVisible()).toBe(true)
    })

    it('shows announcements as text, and the last ten with their time', async () => {
      const markup = `<img src="none" onerror="document.title = 'run'">`
      let socket: WebSocketRoute | undefined
      await page.routeWebSocket('**/socket?*', (opened) => {
        socket = opened
      })
      await page.route('**/report*', (route) => route.fulfill({ json: { play: true } }))
      await page.route('**/audio*', (route) => route.fulfill({ body: Buffer.alloc(2) }))
      await page.reload()
      await tap(page)
      for (let id = 1; id <= 12; id++) {
        const offer = { type: 'offer', id: String(id), sampleRateHertz: 24_000, volume: 100 }
        socket!.send(JSON.stringify({ ...offer, text: `${id} ${markup}` }))
        await page.locator('#text', { hasText: `${id} <img` }).waitFor()
      }
      expect(await page.locator('#text').textContent()).toBe(`12 ${markup}`)
      const earlier = page.locator('#list li')
      const expected = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
      expect(await earlier.allTextContents()).toEqual(
        expected.map((index) => expect.stringMatching(`^\\d\\d:\\d\\d.{0,3}${index} <img src`)),
      )
      await page.reload()
      expect(await earlier.first().textContent()).toContain('12 <img src')
      expect(await page.locator('img').count()).toBe(0)
      expect(await page.title()).toBe('Kitchen')
    })
  })
})
