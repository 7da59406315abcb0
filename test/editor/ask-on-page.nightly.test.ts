import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWavHeader } from '@parlando/core/audio'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { startBrowserWithMicrophone } from '@parlando/test-support/editor/browser'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

const rate = 16_000
const silence = (seconds: number) => Buffer.alloc(2 * rate * seconds)
const wavOf = (pcm: Buffer) =>
  Buffer.concat([writeWavHeader({ sampleRateHertz: rate, dataBytes: pcm.length }), pcm])

const place = { x: 0, y: 0, z: 'tab' }
const debug = { ...place, type: 'debug', active: true, tosidebar: true, targetType: 'msg' }
const ask = {
  ...place,
  type: 'parlando-ask',
  speaker: 'kitchen',
  language: 'en-US',
  waitSeconds: '30',
  wires: [['yes'], ['no'], ['else'], ['nobody']],
}
const inject = { ...place, type: 'inject', payloadType: 'str' }
const question = 'Shall I turn on the light?'
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen' },
  {
    ...inject,
    id: 'press',
    props: [{ p: 'payload' }],
    payload: question,
    wires: [['ask']],
  },
  {
    ...inject,
    id: 'press-stop',
    props: [{ p: 'stop', v: 'true', vt: 'bool' }],
    wires: [['ask']],
  },
  { ...ask, id: 'ask' },
  ...['yes', 'no', 'else', 'nobody'].map((id) => ({ ...debug, id, complete: 'answer' })),
  { ...place, id: 'catch', type: 'catch', scope: ['ask'], wires: [['failure']] },
  { ...debug, id: 'failure', complete: 'error' },
]

describe('a question on a page', { ...needs('chromium'), ...needsRecogniser() }, () => {
  let folder: string
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ask-'))
    const file = join(folder, 'answer.wav')
    const answer = await speak('Yes, please.')
    await writeFile(file, wavOf(Buffer.concat([silence(6), answer, silence(60)])))
    nodeRed = await startNodeRed(flow)
    browser = await startBrowserWithMicrophone(file)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await nodeRed?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const openPage = async (permissions = ['microphone']): Promise<Page> => {
    const context = await browser.newContext({ permissions })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${nodeRed.baseUrl}/parlando/speaker/kitchen`)
    await page.locator('.connected').waitFor()
    await page.click('#tap')
    await page.locator('#tap').waitFor({ state: 'hidden' })
    return page
  }
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
  const answers = (output: string) => nodeRed.debugTexts(output).map((text) => JSON.parse(text))

  it('is answered by voice: the page listens without a tap, and shows what it has heard', async () => {
    const page = await openPage()
    await nodeRed.inject('press')
    await page.locator('#question-text').getByText(question).waitFor()
    await page.locator('.listening').waitFor()
    expect(await page.locator('#question-microphone').textContent()).toBe('Listening')
    await until(() => expect(answers('yes')).toHaveLength(1))
    expect(answers('yes')[0]).toMatchObject({
      name: 'yes',
      sentence: 'yes please',
      value: true,
      heard: 'yes please',
      by: 'voice',
    })
    await page.locator('body:not(.listening)').waitFor()
    await page.locator('#question').waitFor({ state: 'hidden' })
    expect(await page.locator('#heard-words').textContent()).toBe('“yes please”')
    expect(nodeRed.debugTexts('failure')).toEqual([])
  })

  it('is answered by a button, also where the browser does not allow the microphone', async () => {
    const page = await openPage([])
    await nodeRed.inject('press')
    await page.getByText('The browser does not allow the microphone').waitFor()
    await page.getByRole('button', { name: 'no', exact: true }).click()
    await until(() => expect(answers('no')).toHaveLength(1))
    expect(answers('no')[0]).toEqual({
      name: 'no',
      sentence: 'no',
      value: false,
      heard: '',
      by: 'button',
    })
    await page.locator('#question').waitFor({ state: 'hidden' })
  })

  it('ends with msg.stop', async () => {
    const page = await openPage()
    await nodeRed.inject('press')
    await page.locator('#question-text').getByText(question).waitFor()
    await nodeRed.inject('press-stop')
    await page.locator('#question').waitFor({ state: 'hidden' })
    await page.locator('body:not(.listening)').waitFor()
  })
})
