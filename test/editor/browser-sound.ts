import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import type { RecordedSound } from '@parlando/test-support/audio/recorded-sound'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const browserSoundPrograms = ['chromium', ...pulsePrograms] as const

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

/** For all tests of a file: a Node-RED with the speaker *Kitchen*, and a browser whose sound is recorded. */
export function useBrowserSound() {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow, { port: await freePort() })
    browser = await startBrowser(pulse)
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
  const post = (path: string, body: object = {}) =>
    fetch(`${nodeRed.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    nodeRed: () => nodeRed,
    browser: () => browser,
    pulse: () => pulse,

    async restartNodeRed(whileAway: () => Promise<unknown>) {
      const port = Number(new URL(nodeRed.baseUrl).port)
      await nodeRed.close()
      await whileAway()
      nodeRed = await startNodeRed(flow, { port })
    },

    async openSpeakerPage(): Promise<Page> {
      const page = await browser.newPage()
      await page.goto(`${nodeRed.baseUrl}/parlando/speaker/kitchen`)
      await page.locator('.connected').waitFor()
      return page
    },

    /** Presses the button of the form that plays a chime. */
    async test(speaker: object): Promise<string> {
      const response = await post('/parlando/test-speaker', { speaker })
      const { message, error } = (await response.json()) as {
        message?: string
        error?: { code: string; message: string }
      }
      return message ?? `${error?.code} ${error?.message}`
    },

    /** Resolves when the tones were heard, or with the error. */
    play: async (tones: Tones) => (await post('/play', tones)).text(),

    stop: () => post('/stop'),

    async record(action: () => Promise<unknown>): Promise<RecordedSound> {
      const recording = await pulse.record()
      await action()
      return await recording.stop()
    },
  }
}

/** Starts a browser whose sound is recorded. */
export function startBrowser(pulse: Pulse): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram('chromium'),
    // With its default of 10 ms, a busy machine interrupts the sound of the browser.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--audio-buffer-size=2048'],
    ignoreDefaultArgs: ['--mute-audio'],
    env: pulse.environment as Record<string, string>,
  })
}

export async function tap(page: Page): Promise<void> {
  await page.click('#tap')
  await page.locator('#tap').waitFor({ state: 'hidden' })
}
