import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { type EditorOptions, useEditor } from '@parlando/test-support/editor/editor'
import { listedChoices } from '@parlando/test-support/editor/forms'
import { holdMicrophone } from '@parlando/test-support/editor/microphone-requests'
import {
  openStudio,
  startBrowserForStudio,
  studioRecording,
} from '@parlando/test-support/editor/studio'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

describeInBrowser('the voice studio, when something arrives late', () => {
  const editor = useEditor(undefined, startBrowserForStudio)

  const open = async (options: EditorOptions = { hasMicrophone: true }) => {
    const opened = await editor.open(options)
    onTestFinished(async () => {
      expect(opened.problems).toEqual([])
      await opened.close()
    })
    return { ...opened, studio: await openStudio(opened.page) }
  }

  it('speaks the new sentence if it was edited while the previous one was on its way', async () => {
    const { page, studio } = await open()
    await studio.getByText('Compare two voices').click()
    await studio.getByLabel('Voice A', { exact: true }).fill('Clara')
    await listedChoices(page).filter({ hasText: 'Clara' }).first().click()
    const requests = await holdFirst(page, '**/listen')
    const listen = studio.getByRole('button', { name: 'Listen: A' })
    const sentence = studio.locator('textarea').last()
    await sentence.fill('The old sentence.')
    await listen.click()
    await expect.poll(() => requests.texts).toEqual(['The old sentence.'])
    await sentence.fill('The new sentence.')
    requests.release()
    // The button, which is named after what it plays, has this text again.
    await expect.poll(() => listen.textContent(), { timeout: 30_000 }).toContain('Listen')
    await listen.click()
    await expect
      .poll(() => requests.texts, { timeout: 30_000 })
      .toEqual(['The old sentence.', 'The new sentence.'])
    await listen.click()
  })

  it('keeps to the second recording if the first one is rejected late', async () => {
    const { page, studio } = await open()
    const microphone = await holdMicrophone(page)
    const record = studio.locator('.parlando-studio-record')
    for (let click = 1; click <= 3; click += 1) await record.click()
    await expect.poll(() => microphone.requests()).toBe(2)
    await microphone.deny(0)
    await microphone.allow(1)
    await studio.getByRole('button', { name: 'Stop' }).click()
    await studio.getByRole('meter', { name: 'Level' }).waitFor({ state: 'detached' })
    expect(await microphone.isOpen()).toBe(false)
  })

  it('keeps to a recording if a file was decoded late', async () => {
    const { page, studio } = await open()
    await page.evaluate(() => {
      const decode = OfflineAudioContext.prototype.decodeAudioData
      OfflineAudioContext.prototype.decodeAudioData = async function (file) {
        const decoded = await decode.call(this, file)
        await new Promise<void>((resolve) => Object.assign(window, { releaseDecoded: resolve }))
        return decoded
      }
    })
    await openFile(studio, await studioRecording())
    await page.waitForFunction(() => 'releaseDecoded' in window)
    await studio.getByRole('button', { name: 'Record' }).click()
    const meter = studio.getByRole('meter', { name: 'Level' })
    await meter.waitFor()
    await page.evaluate(async () => {
      ;(window as unknown as { releaseDecoded(): void }).releaseDecoded()
      // The studio has taken the file before the next task.
      await new Promise((resolve) => setTimeout(resolve))
    })
    expect(await meter.count()).toBe(1)
    await studio.getByRole('button', { name: 'Stop' }).click()
    await meter.waitFor({ state: 'detached' })
  })
})

function openFile(studio: Locator, buffer: Buffer): Promise<void> {
  const file = { name: 'voice.wav', mimeType: 'audio/wav', buffer }
  return studio.locator('input[type=file]').first().setInputFiles(file)
}

/** Lets the first of these requests wait for `release`. */
async function holdFirst(page: Page, url: string) {
  const texts: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    texts.push((route.request().postDataJSON() as { text: string }).text)
    if (texts.length === 1) await released
    await route.continue()
  })
  return { texts, release }
}
