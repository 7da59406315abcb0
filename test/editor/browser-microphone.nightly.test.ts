import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWavHeader } from '@parlando/core/audio'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { speak } from '@parlando/test-support/audio/speak'
import { startBrowserWithMicrophone } from '@parlando/test-support/editor/browser'
import { holdMicrophone } from '@parlando/test-support/editor/microphone-requests'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { flow } from './flows/microphones.ts'

const text = 'Please turn on the light in the kitchen, and close the garden door.'
const rate = 16_000
const silence = (seconds: number) => Buffer.alloc(2 * rate * seconds)

const wavOf = (pcm: Buffer) =>
  Buffer.concat([writeWavHeader({ sampleRateHertz: rate, dataBytes: pcm.length }), pcm])

interface PageOptions {
  isAllowed?: boolean
  host?: string
  from?: Browser
}

describe('a browser as microphone', needs('chromium'), () => {
  let folder: string
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'microphone-'))
    const file = join(folder, 'speech.wav')
    await writeFile(file, wavOf(Buffer.concat([silence(1), await speak(text), silence(4)])))
    nodeRed = await startNodeRed(flow, { port: await freePort() })
    browser = await startBrowserWithMicrophone(file)
  }, 120_000)
  afterEach(() => nodeRed.inject('press-stop'))
  afterAll(async () => {
    await browser?.close()
    await nodeRed?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const openPage = async (
    name: string,
    { isAllowed = true, host, from = browser }: PageOptions = {},
  ): Promise<Page> => {
    const context = await from.newContext({
      permissions: isAllowed ? ['microphone'] : [],
      viewport: { width: 390, height: 844 },
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const { port } = new URL(nodeRed.baseUrl)
    const origin = `http://${host ?? '127.0.0.1'}:${port}`
    await page.goto(`${origin}/parlando/microphone/${encodeURIComponent(name)}`)
    // Node-RED accepts no connection of a page with a name that is not its own.
    if (!host) await page.locator('.connected').waitFor()
    return page
  }
  const written = () => nodeRed.debugTexts('written').length
  const begun = () => nodeRed.debugTexts('begun').length

  /** The sound of the next recording, as a WAV file. */
  const recording = async (action: () => Promise<void>): Promise<Buffer> => {
    const before = written()
    await action()
    await vi.waitFor(() => expect(written()).toBe(before + 1), 30_000)
    return wavOf(await readFile(join(nodeRed.folder, 'heard.raw')))
  }

  it('sends the words that somebody says while the button is held', async () => {
    const page = await openPage('push')
    const wav = await recording(async () => {
      await page.hover('#talk')
      await page.mouse.down()
      await page.locator('.recording').waitFor()
      await page.waitForTimeout(6000)
      expect(Number(await page.getAttribute('#meter', 'aria-valuenow'))).toBeGreaterThanOrEqual(0)
      await page.mouse.up()
      await page.locator('body:not(.recording)').waitFor()
    })
    await expectSpoken(wav, text)
    const facts = JSON.parse(nodeRed.debugTexts('facts').at(-1)!)
    expect(facts).toMatchObject({ encoding: 'PCM', sampleRateHertz: rate, channels: 1 })
    expect(facts.durationSeconds).toBeGreaterThan(5.8)
    expect(facts.durationSeconds).toBeLessThan(6.8)
    expect(nodeRed.debugTexts('written').at(-1)).toBe('Push')
  })

  it('says that the button must be held when somebody only taps it', async () => {
    const page = await openPage('push')
    await page.click('#talk')
    await page.getByText('Hold the button while you speak').waitFor()
    await page.click('#talk', { delay: 100 })
    await page.getByText('Hold the button while you speak').waitFor()
  })

  it('keeps to the second microphone if the first one is denied late', async () => {
    const page = await openPage('free')
    const microphone = await holdMicrophone(page)
    for (let click = 1; click <= 3; click += 1) await page.click('#talk')
    expect(await microphone.requests()).toBe(2)
    await microphone.deny(0)
    await microphone.allow(1)
    await page.locator('.recording').waitFor()
    await page.click('#talk')
    await page.locator('body:not(.recording)').waitFor()
    await expect.poll(() => microphone.isOpen()).toBe(false)
  })

  it('shows what was said and the response, and moves nothing', async () => {
    const page = await openPage('push')
    const before = await page.locator('#talk').boundingBox()
    await nodeRed.inject('press-texts')
    await page.getByText('It is ten.').waitFor()
    expect(await page.locator('#heard').textContent()).toBe('What time is it?')
    expect(await page.locator('#talk').boundingBox()).toEqual(before)
  })

  it.each([
    [390, 844],
    [844, 390],
  ])('shows all of its texts on a screen of %i by %i pixels', async (width, height) => {
    const page = await openPage('push')
    await page.setViewportSize({ width, height })
    await nodeRed.inject('press-texts')
    await page.getByText('It is ten.').waitFor()
    await page.click('#talk')
    await page.getByText('Hold the button while you speak').waitFor()
    for (const id of ['#said', '#talk', '#hint']) {
      const { x, y, ...size } = (await page.locator(id).boundingBox())!
      expect(
        [x, y].every((edge) => edge >= 0),
        id,
      ).toBe(true)
      expect(x + size.width, id).toBeLessThanOrEqual(width)
      expect(y + size.height, id).toBeLessThanOrEqual(height)
    }
  })

  it('ends a recording by itself after the last word that follows a tap', async () => {
    const page = await openPage('tap')
    const wav = await recording(() => page.click('#talk'))
    await expectSpoken(wav, text)
    await page.locator('body:not(.recording)').waitFor()
  })

  it('ends a recording at the second tap, and when the flow stops it', async () => {
    const page = await openPage('tap')
    const label = page.locator('#talk')
    expect(await label.textContent()).toBe('Tap to talk')
    const wav = await recording(async () => {
      await page.click('#talk')
      await page.locator('.recording').waitFor()
      expect(await label.textContent()).toBe('Tap to end')
      await page.waitForTimeout(500)
      await page.click('#talk')
    })
    expect(await label.textContent()).toBe('Tap to talk')
    expect(wav.length).toBeGreaterThan(0.3 * 2 * rate)
    expect(wav.length).toBeLessThan(2 * 2 * rate)
    await recording(async () => {
      await page.click('#talk')
      await page.locator('.recording').waitFor()
      await page.waitForTimeout(300)
      await nodeRed.inject('press-stop')
    })
    await page.getByText('Node-RED has ended the recording').waitFor()
  })

  it('says when another page is recording', async () => {
    const page = await openPage('tap')
    const other = await openPage('tap')
    await page.click('#talk')
    await page.locator('.recording').waitFor()
    await other.click('#talk')
    await other.getByText('Another page is using this microphone').waitFor()
    expect(await other.locator('.recording').count()).toBe(0)
  })

  it('ends the recording of a page that is closed', async () => {
    const page = await openPage('free')
    const before = written()
    await page.click('#talk')
    const first = begun()
    await vi.waitFor(() => expect(begun()).toBeGreaterThan(first + 5), 10_000)
    await page.close()
    await vi.waitFor(() => expect(written()).toBe(before + 1), 10_000)
  })

  it('listens until the next tap, and plays the sounds of a speaker meanwhile', async () => {
    const page = await openPage('free')
    await page.click('#talk')
    await page.locator('.recording').waitFor()
    const before = nodeRed.debugTexts('played').length
    await nodeRed.inject('press-tone')
    await vi.waitFor(() => expect(nodeRed.debugTexts('played').length).toBe(before + 1), 20_000)
    expect(nodeRed.debugTexts('played').at(-1)).toContain('"player"')
    expect(await page.locator('.recording').count()).toBe(1)
    await recording(() => page.click('#talk'))
  })

  it('says that the microphone is muted until it delivers a sound, and not in a later silence', async () => {
    const file = join(folder, 'late.wav')
    await writeFile(file, wavOf(Buffer.concat([silence(4), await speak('Good morning.')])))
    const other = await startBrowserWithMicrophone(file)
    onTestFinished(() => other.close())
    const page = await openPage('free', { from: other })
    await page.click('#talk')
    await page.getByText('The microphone is muted').waitFor()
    await page.getByText('The microphone is muted').waitFor({ state: 'detached' })
    const packetsBefore = begun()
    await vi.waitFor(() => expect(begun()).toBeGreaterThan(packetsBefore + 250), 30_000)
    expect(await page.getByText('The microphone is muted').count()).toBe(0)
    expect(await page.locator('.recording').count()).toBe(1)
  })

  it('says what to do when the browser does not allow the microphone', async () => {
    const page = await openPage('push', { isAllowed: false })
    await page.hover('#talk')
    await page.mouse.down()
    await page.getByText('The browser does not allow the microphone').waitFor()
    await page.mouse.up()
    expect(await page.locator('.recording').count()).toBe(0)
  })

  it('explains https where the browser allows no microphone', async () => {
    const page = await openPage('push', { host: 'kitchen.test' })
    await page.getByText('The microphone needs https').waitFor()
    const { port } = new URL(nodeRed.baseUrl)
    const link = page.locator('#insecure-link')
    expect(await link.getAttribute('href')).toBe(
      `http://localhost:${port}/parlando/microphone/push`,
    )
    expect(await page.locator('#talk').isVisible()).toBe(false)
  })

  it('shows the name of the microphone as people have written it', async () => {
    const page = await openPage('<i>stairs<-i>-&-"hall"')
    expect(await page.title()).toBe('<i>Stairs</i> & "Hall"')
    expect(await page.locator('h1').textContent()).toBe('<i>Stairs</i> & "Hall"')
  })

  it('records again after a restart of Node-RED', async () => {
    const page = await openPage('tap')
    const port = Number(new URL(nodeRed.baseUrl).port)
    await nodeRed.close()
    await page.getByText('Not connected to Node-RED').waitFor()
    nodeRed = await startNodeRed(flow, { port })
    await page.locator('.connected').waitFor()
    await recording(async () => {
      await page.click('#talk')
      await page.locator('.recording').waitFor()
      await page.waitForTimeout(300)
      await page.click('#talk')
    })
  })
})
