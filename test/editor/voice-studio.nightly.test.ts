import { expectAccessible } from '@parlando/test-support/editor/accessibility'
import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { type EditorOptions, useEditor } from '@parlando/test-support/editor/editor'
import { listedChoices } from '@parlando/test-support/editor/forms'
import {
  openStudio,
  startBrowserForStudio,
  studioRecording,
} from '@parlando/test-support/editor/studio'
import { languages } from '@parlando/test-support/node-red/node-cases'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

const place = { z: 'tab', x: 200, y: 200 }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  {
    ...place,
    id: 'say',
    type: 'inject',
    props: [{ p: 'payload', v: 'Dinner.', vt: 'str' }],
    wires: [['speak']],
  },
  {
    ...place,
    id: 'speak',
    type: 'parlando-speak',
    service: '',
    voice: 'Clara',
    text: 'payload',
    textType: 'msg',
    output: 'whole',
    wires: [[]],
  },
]

describeInBrowser('the voice studio', () => {
  const editor = useEditor(flow, startBrowserForStudio)

  const open = async (options: EditorOptions = {}) => {
    const opened = await editor.open(options)
    onTestFinished(async () => {
      expect(opened.problems).toEqual([])
      await opened.close()
    })
    return { ...opened, studio: await openStudio(opened.page) }
  }
  const openFile = async (studio: Locator, buffer: Buffer, name = 'voice.wav') =>
    studio
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'audio/wav', buffer })
  const clone = async (studio: Locator, name: string) => {
    await openFile(studio, await studioRecording())
    await studio.getByLabel('Name', { exact: true }).fill(name)
    await studio.getByRole('button', { name: 'Clone the voice' }).click()
    await studio.getByText(`“${name}” is ready`).waitFor()
  }
  const itemOf = (studio: Locator, name: string) =>
    studio.getByRole('listitem').filter({ has: studio.page().locator('b', { hasText: name }) })

  it('opens a file, proposes the part with speech, and says what is wrong with one that is not a sound', async () => {
    const { studio } = await open()
    await openFile(studio, Buffer.from('no sound'))
    await studio.getByText('This browser cannot read the file').waitFor()
    await openFile(studio, await studioRecording())
    await studio.getByText('Good: clear, and long enough').waitFor()
    expect(await studio.getByLabel('From (s)').inputValue()).toMatch(/^0\.[345]$/)
  })

  it('takes a file that is dropped, without an import of a flow', async () => {
    const { page, studio } = await open()
    const bytes = [...(await studioRecording())]
    const transfer = await page.evaluateHandle((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'voice.wav', { type: 'audio/wav' }))
      return data
    }, bytes)
    const target = '.parlando-studio-body'
    await page.locator(target).first().dispatchEvent('dragover', { dataTransfer: transfer })
    await page.locator(target).first().dispatchEvent('drop', { dataTransfer: transfer })
    await studio.getByText('Good: clear, and long enough').waitFor()
    expect(await page.locator('.red-ui-clipboard-dialog').count()).toBe(0)
  })

  it('cuts with the mouse and with the keyboard', async () => {
    const { page, studio } = await open()
    await openFile(studio, await studioRecording())
    const start = studio.getByLabel('From (s)')
    const before = Number(await start.inputValue())
    await start.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    expect(Number(await start.inputValue())).toBeCloseTo(before + 0.1, 1)
    const handle = page.locator('.parlando-studio-waveform [part*=region-handle-right]')
    const { x, y } = (await handle.boundingBox())!
    const end = studio.getByLabel('To (s)')
    const endBefore = Number(await end.inputValue())
    await page.mouse.move(x + 2, y + 10)
    await page.mouse.down()
    await page.mouse.move(x - 60, y + 10, { steps: 5 })
    await page.mouse.up()
    expect(Number(await end.inputValue())).toBeLessThan(endBefore - 1)
    await studio.getByRole('button', { name: 'Hear it' }).click()
    await studio.getByRole('button', { name: 'Stop' }).click()
  })

  it('says what to do when the browser does not allow the microphone', async () => {
    const { studio } = await open({ hasMicrophone: false })
    await studio.getByRole('button', { name: 'Record' }).click()
    await studio.getByText('The browser does not allow the microphone').waitFor()
  })

  it('names, tags and deletes a clone with the keyboard', async () => {
    const { page, studio } = await open()
    await clone(studio, 'Bert')
    await itemOf(studio, 'Bert').getByRole('button', { name: 'Name and tags' }).press('Enter')
    await page.keyboard.type('Albert')
    await page.keyboard.press('Tab')
    await page.keyboard.type('deep, calm')
    await page.keyboard.press('Enter')
    await studio.getByText('“Albert” is saved').waitFor()
    await itemOf(studio, 'Albert').getByText('deep · calm').waitFor()
    await itemOf(studio, 'Albert').getByRole('button', { name: 'Delete' }).press('Enter')
    await studio.getByText('Delete “Albert”?').waitFor()
    await page.keyboard.press('Enter')
    await studio.getByText('“Albert” is deleted').waitFor()
    expect(await itemOf(studio, 'Albert').count()).toBe(0)
  })

  it('saves a clone as a file, adds it again, and says when a file is not a voice', async () => {
    const { page, studio } = await open()
    await clone(studio, 'Dora')
    const downloading = page.waitForEvent('download')
    await itemOf(studio, 'Dora').getByRole('button', { name: 'Save “Dora” as a file' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('Dora.voice.json')
    const add = studio.locator('input[type=file]').nth(1)
    await add.setInputFiles(await download.path())
    await studio.getByText('“Dora” is added').waitFor()
    expect(await itemOf(studio, 'Dora').count()).toBe(2)
    const mimeType = 'application/json'
    await add.setInputFiles({ name: 'other.json', mimeType, buffer: Buffer.from('[]') })
    await studio.getByText('The file is not a voice').waitFor()
  })

  it('compares two voices on a sentence, which is spoken once', async () => {
    const { page, studio, playedSeconds } = await open()
    await studio.getByText('Compare two voices').click()
    const both = studio.getByRole('button', { name: 'A, then B' })
    await both.click()
    await studio.getByText('Choose two voices first').waitFor()
    for (const [label, voice] of [
      ['Voice A', 'Clara'],
      ['Voice B', 'Ralph'],
    ] as const) {
      await studio.getByLabel(label, { exact: true }).fill(voice)
      await listedChoices(page).filter({ hasText: voice }).first().click()
    }
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/listen')) requests += 1
    })
    for (const played of [2, 4]) {
      await both.click()
      await expect
        .poll(async () => (await playedSeconds()).length, { timeout: 30_000 })
        .toBe(played)
      await studio.getByRole('button', { name: 'Stop' }).click()
    }
    expect(requests).toBe(2)
  })

  it('shows what was spoken while it is open, and plays it', async () => {
    const { studio, playedSeconds } = await open()
    await studio.getByText('Spoken lately').click()
    await studio.getByText('Nothing has been spoken yet').waitFor()
    await editor.nodeRed().inject('say')
    const item = studio.getByRole('listitem').filter({ hasText: 'Dinner.' })
    await item.getByText('Clara · This device').waitFor()
    await item.getByText(/^[\d.]+s of audio · first sound after [\d.]+s$/).waitFor()
    await item.getByRole('button', { name: 'Listen' }).click()
    await expect.poll(async () => (await playedSeconds()).length, { timeout: 30_000 }).toBe(1)
    await expectAccessible(studio.page(), '.parlando-studio')
    await studio.getByRole('button', { name: 'Clear the list' }).click()
    await studio.getByText('Nothing has been spoken yet').waitFor()
  })

  it.each<[string, EditorOptions]>([
    ['in the light theme', {}],
    ['in the dark theme', { isDark: true }],
    ['with a zoom of 200 %', { width: 640, height: 450 }],
  ])('is accessible %s', async (_how, options) => {
    const { page, studio } = await open(options)
    await clone(studio, 'Cleo')
    await openAll(page)
    await expectAccessible(page, '.parlando-studio')
    expect(await tooWide(page)).toEqual([])
    await itemOf(studio, 'Cleo').getByRole('button', { name: 'Delete' }).click()
    await studio.getByRole('button', { name: 'Delete', exact: true }).click()
    await studio.getByText('“Cleo” is deleted').waitFor()
  })

  it.each(languages)('fits into the sidebar in %s', async (language) => {
    const opened = await editor.open({ language })
    onTestFinished(() => opened.close())
    const { page } = opened
    await page.evaluate(() => RED.sidebar.show('parlando-studio'))
    await page.locator('.parlando-studio-reading').waitFor()
    await openFile(page.locator('.parlando-studio'), await studioRecording())
    await page.locator('.parlando-studio-trimmer input').first().waitFor()
    await openAll(page)
    expect(await tooWide(page)).toEqual([])
  })
})

declare const RED: { sidebar: { show(tab: string): void } }

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const part of Array.from(document.querySelectorAll('.parlando-studio details'))) {
      part.setAttribute('open', '')
    }
  })
}

/** The texts of elements that are wider than the sidebar. */
function tooWide(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    const studio = document.querySelector('.parlando-studio')!
    const { right } = studio.getBoundingClientRect()
    return Array.from(studio.querySelectorAll('*'))
      .filter((element) => element.getBoundingClientRect().right > right + 0.5)
      .map(({ textContent }) => textContent)
  })
}
