import { hasPulse, type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { findProgram } from '@parlando/test-support/find-program'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const executablePath = findProgram('chromium', 'no test plays sounds in a browser')

const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen' },
]

describe.skipIf(!executablePath || !hasPulse)('a browser as loudspeaker', () => {
  let pulse: Pulse
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    pulse = await startPulse()
    nodeRed = await startNodeRed(flow)
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ignoreDefaultArgs: ['--mute-audio'],
      env: pulse.environment as Record<string, string>,
    })
  }, 120_000)
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

  it('is the editor, once somebody has clicked in it', async () => {
    expect(await test({ kind: 'editor' })).toMatch(/^NO_PLAYER No editor is open/)
    const page = await browser.newPage()
    await page.goto(nodeRed.baseUrl)
    await page.locator('.red-ui-palette-node[data-palette-type="parlando-speak"]').waitFor()
    await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
    expect(await test({ kind: 'editor' })).toMatch(
      /^NO_PLAYER The browser does not allow .* click once/,
    )
    await page.mouse.click(600, 400)
    // The browser takes a moment to allow sound.
    await vi.waitFor(async () => expect(await test({ kind: 'editor' })).toMatch(/^Played/), 20_000)
    const recording = await pulse.record()
    expect(await test({ kind: 'editor' })).toMatch(/^Played to the end in \d\.\d s, as the browser/)
    const sound = await recording.stop()
    expect(sound.tonesHertz).toEqual([700, 500])
    await page.close()
  })

  it('is a page, once somebody has tapped it', async () => {
    expect(await test({ kind: 'page', name: 'Kitchen' })).toMatch(
      /^NO_PLAYER Nobody has opened the page .*\/parlando\/speaker\/kitchen/,
    )
    const page = await browser.newPage()
    await page.goto(`${nodeRed.baseUrl}/parlando/speaker/Kitchen`)
    await page.locator('#state.ready').waitFor()
    expect(await test({ kind: 'page', name: 'Kitchen' })).toMatch(/^NO_PLAYER .* tap once/)
    await page.click('#tap')
    await page.locator('#tap').waitFor({ state: 'hidden' })
    const recording = await pulse.record()
    expect(await test({ kind: 'page', name: 'Kitchen' })).toMatch(/^Played to the end/)
    const sound = await recording.stop()
    expect(sound.tonesHertz).toEqual([700, 500])
    await page.close()
  })
})
