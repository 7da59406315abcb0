import { startPulse } from '@parlando/test-support/audio/pulse'
import { startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { browserSoundPrograms, startBrowser, tap } from './browser-sound.ts'

const numbers =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
const sentences = numbers.split(' ').map((number) => `This is the sentence with number ${number}.`)
const article = sentences.join(' ')

const place = { x: 0, y: 0, z: 'tab' }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen' },
  { ...place, id: 'post', type: 'http in', url: '/read', method: 'post', wires: [['message']] },
  {
    ...place,
    id: 'message',
    type: 'function',
    func: 'return [{ ...msg.payload }, msg]',
    outputs: 2,
    wires: [['read'], ['sent']],
  },
  { ...place, id: 'sent', type: 'http response', statusCode: '200', wires: [] },
  { ...place, id: 'read', type: 'parlando-read-aloud', speaker: 'kitchen', wires: [['end'], []] },
  { ...place, id: 'end', type: 'debug', complete: 'reading', tosidebar: true, active: true },
]

/** Waits until the page says a sentence. */
async function hears(page: Page, text: string): Promise<void> {
  await page.locator('.saying #text', { hasText: text }).waitFor({ timeout: 60_000 })
}

describe('an article of 20 sentences', needs(...browserSoundPrograms), () => {
  it('is heard without long gaps, with pause, skip and a restart', {
    timeout: 300_000,
  }, async () => {
    const pulse = await startPulse()
    onTestFinished(() => pulse.stop())
    const nodeRed = await startNodeRed(flow, { port: await freePort() })
    onTestFinished(() => nodeRed.close())
    const browser = await startBrowser(pulse)
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${nodeRed.baseUrl}/parlando/speaker/kitchen`)
    await page.locator('.connected').waitFor()
    await tap(page)
    const send = (message: object) =>
      fetch(`${nodeRed.baseUrl}/read`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })

    const recording = await pulse.record()
    await send({ payload: article })
    await hears(page, sentences[9]!)
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await page.locator('body:not(.saying)').waitFor()
    const heard = await recording.stop()
    const pauses = heard.gaps.filter(({ ms }) => ms > 200)
    // The page shows a sentence by the clock, which may be in the pause before it.
    expect(pauses.length).toBeGreaterThanOrEqual(8)
    for (const { ms } of pauses) expect(ms).toBeLessThan(400)

    await page.getByText('Paused: Sentence 10 of 20').waitFor()
    await page.getByRole('button', { name: 'One sentence back' }).press('Enter')
    await page.getByText('Paused: Sentence 9 of 20').waitFor()
    // The editor learns it on another connection than the page.
    const status = () => nodeRed.statuses('read').at(-1)
    await expect.poll(status).toBe('paused: sentence 9 of 20, 38 %')

    const lost = page.locator('body:not(.connected)').waitFor()
    await nodeRed.killAndRestart()
    await lost
    await page.locator('body.connected').waitFor()
    await page.getByText('Paused: Sentence 9 of 20').waitFor()
    await page.getByRole('button', { name: 'Go on' }).press('Enter')
    await hears(page, sentences[8]!)
    await page.getByRole('button', { name: 'One sentence on' }).press('Enter')
    await hears(page, sentences[9]!)
    await send({ skip: 9 })
    await hears(page, sentences[18]!)
    await hears(page, sentences[19]!)
    await expect.poll(() => nodeRed.debugTexts('end'), { timeout: 30_000 }).toHaveLength(1)
    expect(JSON.parse(nodeRed.debugTexts('end')[0]!)).toMatchObject({
      status: 'read',
      sentence: 20,
    })
  })
})
