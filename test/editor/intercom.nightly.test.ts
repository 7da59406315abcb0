import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWavHeader } from '@parlando/core/audio'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { speak } from '@parlando/test-support/audio/speak'
import { startBrowserWithMicrophone } from '@parlando/test-support/editor/browser'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const text =
  'Please turn on the light in the kitchen, and close the garden door. The children are at school until seven. Coffee is ready in the morning, and there is water under the window.'
const rate = 16_000
const silence = (seconds: number) => Buffer.alloc(2 * rate * seconds)
const wavOf = (pcm: Buffer, sampleRateHertz: number) =>
  Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes: pcm.length }), pcm])

/** Sends 20 times half a second of sound each 0.9 s, as a network that is too slow does. */
const sendSlowly = `
const audio = { encoding: 'PCM', sampleRateHertz: 24000 }
for (let index = 0; index < 20; index++) {
  const parts = { id: msg._msgid, index, ...(index === 19 && { count: 20 }) }
  setTimeout(() => node.send({ payload: Buffer.alloc(24000, 1), audio, parts }), 900 * index)
}`

const place = { z: 'tab', x: 0, y: 0 }
const debug = { ...place, type: 'debug', active: true, tosidebar: true }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'hall', type: 'parlando-speaker', kind: 'page', name: 'Hall' },
  {
    ...place,
    id: 'door',
    type: 'parlando-microphone',
    kind: 'page',
    name: 'Door',
    mode: 'push',
    wires: [['play']],
  },
  { ...place, id: 'press', type: 'inject', props: [], wires: [['slowly']] },
  { ...place, id: 'slowly', type: 'function', func: sendSlowly, outputs: 1, wires: [['play']] },
  { ...place, id: 'play', type: 'parlando-play', speaker: 'hall', wires: [['heard']] },
  { ...debug, id: 'heard', complete: 'playback.durationSeconds', targetType: 'msg' },
  { ...place, id: 'failed', type: 'catch', scope: null, wires: [['failures']] },
  { ...debug, id: 'failures', complete: 'true', targetType: 'full' },
]

/** What a page has given to the browser to play. Times are in seconds. */
interface Piece {
  at: number
  seconds: number
  samples: number[]
}

describe('an intercom of two pages', needs('chromium'), () => {
  let folder: string
  let nodeRed: NodeRedProcess
  let browsers: Browser[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'intercom-'))
    const file = join(folder, 'speech.wav')
    const pcm = Buffer.concat([silence(1), await speak(text), silence(4)])
    await writeFile(file, wavOf(pcm, rate))
    nodeRed = await startNodeRed(flow, { port: await freePort() })
    browsers = await Promise.all([
      startBrowserWithMicrophone(file),
      startBrowserWithMicrophone(file),
    ])
  }, 120_000)
  afterAll(async () => {
    for (const browser of browsers ?? []) await browser.close()
    await nodeRed?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const openSpeaker = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const pieces: Piece[] = []
      const { start } = AudioBufferSourceNode.prototype
      AudioBufferSourceNode.prototype.start = function (at = 0) {
        const { duration: seconds } = this.buffer!
        pieces.push({ at, seconds, samples: [...this.buffer!.getChannelData(0)] })
        return start.call(this, at)
      }
      Object.assign(window, { pieces })
    })
    await page.goto(`${nodeRed.baseUrl}/parlando/speaker/hall`)
    await page.locator('.connected').waitFor()
    await page.click('#tap')
    await page.locator('#tap').waitFor({ state: 'hidden' })
    return page
  }
  const piecesOf = (page: Page) =>
    page.evaluate(() => (window as unknown as { pieces: Piece[] }).pieces)
  const heard = () => nodeRed.debugTexts('heard').length

  it.each([
    ['two browsers', 1],
    ['one browser', 0],
  ])(
    'what somebody says on one page is heard whole on the other: %s',
    async (_how, index) => {
      const context = await browsers[0]!.newContext({ permissions: ['microphone'] })
      const other = index === 0 ? context : await browsers[index]!.newContext()
      const speaker = await openSpeaker(other)
      const page = await context.newPage()
      await page.goto(`${nodeRed.baseUrl}/parlando/microphone/door`)
      await page.locator('.connected').waitFor()
      const before = heard()
      await page.hover('#talk')
      await page.mouse.down()
      await page.locator('.recording').waitFor()
      await page.waitForTimeout(14_000)
      await page.mouse.up()
      await expect.poll(heard, { timeout: 60_000 }).toBe(before + 1)

      const samples = (await piecesOf(speaker)).flatMap((piece) => piece.samples)
      const pcm = Buffer.from(Int16Array.from(samples, (sample) => sample * 32_767).buffer)
      await expectSpoken(wavOf(pcm, 24_000), text)
      const seconds = Number(nodeRed.debugTexts('heard').at(-1))
      expect(samples.length / 24_000).toBeCloseTo(seconds, 2)
      expect(nodeRed.debugTexts('failures')).toEqual([])
      for (const each of new Set([context, other])) await each.close()
    },
    120_000,
  )

  it('a sound that arrives too slowly has few gaps', async () => {
    const context = await browsers[1]!.newContext()
    const speaker = await openSpeaker(context)
    const before = heard()
    await nodeRed.inject('press')
    await expect.poll(heard, { timeout: 60_000 }).toBe(before + 1)
    const pieces = await piecesOf(speaker)
    const gaps = pieces.filter(({ at }, index) => {
      const { at: last, seconds } = pieces[index - 1] ?? { at, seconds: 0 }
      return at > last + seconds + 0.001
    })
    expect(gaps.length).toBeGreaterThan(0)
    expect(gaps.length).toBeLessThan(11)
    await context.close()
  }, 90_000)
})
