import {
  addNode,
  closeForm,
  describeInBrowser,
  type EditorPage,
  listedChoices,
  openForm,
  useEditor,
} from '@parlando/test-support/editor/editor'
import { keys } from '@parlando/test-support/keys'
import {
  startTinyModelService,
  type TinyModelService,
} from '@parlando/test-support/local-service/tiny-model-service'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

declare const RED: { nodes: { node(id: string): object } }

describeInBrowser('more voices and languages', () => {
  const hosted = { id: 'hosted', type: 'parlando-service', location: 'hosted', name: 'Tiny' }
  const editor = useEditor([
    { id: 'tab', type: 'tab', label: 'Flow' },
    { ...hosted, baseUrl: 'http://127.0.0.1:9' },
  ])
  let service: TinyModelService
  let opened: EditorPage
  let page: Page
  const dialog = () => page.locator('dialog[open]')
  const item = (name: string) => dialog().locator('li', { hasText: name })
  beforeAll(async () => {
    service = await startTinyModelService(keys.service)
    opened = await editor.open()
    page = opened.page
  })
  afterAll(() => service?.close())

  it('lists the catalogue for this device, with sizes, licences and languages', async () => {
    await openForm(page, await addNode(page, 'parlando-speak', 300, 100))
    await page.selectOption('#node-input-service', { label: 'This device' })
    const link = page.getByRole('button', { name: 'More voices and languages' })
    await link.focus()
    await page.keyboard.press('Enter')
    await item('Thorsten')
      .first()
      .getByText(/German.* · \d+.MB/)
      .waitFor()
    await dialog().getByLabel('Language').selectOption({ label: 'Japanese' })
    expect(await dialog().locator('li:visible b').allTextContents()).toEqual(['Supertonic 3'])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    // The key closed only the dialog, which gave the focus back.
    expect(await link.evaluate((button) => button === document.activeElement)).toBe(true)
    await closeForm(page, 'cancel')
  })

  describe('of a service with tiny models', () => {
    beforeAll(async () => {
      const settings = { baseUrl: service.baseUrl, credentials: { apiKey: keys.service } }
      await page.evaluate((settings) => {
        Object.assign(RED.nodes.node('hosted'), settings)
      }, settings)
      await openForm(page, await addNode(page, 'parlando-speak', 300, 200))
      await page.selectOption('#node-input-service', 'hosted')
      await page.getByRole('button', { name: 'More voices and languages' }).click()
    })

    it('download nothing before the licence is accepted', async () => {
      await item('Anna').getByRole('button', { name: 'Install...: Anna' }).click()
      await item('Anna').getByText('Nobody may be impersonated.').waitFor()
      const download = item('Anna').getByRole('button', { name: /^Download/ })
      expect(await download.isDisabled()).toBe(true)
      const accept = page.getByLabel('I have read the licence OpenRAIL-M and accept it')
      expect(await accept.evaluate((box) => box === document.activeElement)).toBe(true)
      await accept.check()
      expect(await download.isDisabled()).toBe(false)
    })

    it('show the progress, which a screen reader reads out, and can be cancelled', async () => {
      const release = service.holdDownloads()
      await item('Anna')
        .getByRole('button', { name: /^Download/ })
        .click()
      await page.getByRole('progressbar', { name: 'Anna' }).waitFor()
      await dialog()
        .getByRole('status')
        .getByText(/^Anna: /)
        .waitFor()
      await item('Anna').getByRole('button', { name: 'Cancel: Anna' }).click()
      await item('Anna').getByRole('button', { name: 'Install...: Anna' }).waitFor()
      release()
    })

    it('are in the list of the form as soon as they are installed, although requests fail meanwhile', async () => {
      const path = '**/parlando/local-models'
      await page.route(
        path,
        (route) => route.fulfill({ body: '{', contentType: 'application/json' }),
        { times: 5 },
      )
      await item('Anna').getByRole('button', { name: 'Install...: Anna' }).click()
      await page.getByLabel('I have read the licence OpenRAIL-M and accept it').check()
      await item('Anna')
        .getByRole('button', { name: /^Download/ })
        .click()
      await item('Anna').getByText('installed', { exact: true }).waitFor()
      await dialog().getByRole('button', { name: 'Close' }).click()
      await page.fill('#node-input-voice', 'Anna')
      await listedChoices(page).getByText('Anna (sherpa)').click()
      expect(await page.inputValue('#node-input-voice')).toBe('sherpa-vits-piper-de_de-anna')
    })

    it('explain a failed installation and can be removed', async () => {
      service.damageDownloads()
      await page.getByRole('button', { name: 'More voices and languages' }).click()
      await dialog().getByLabel('Show').selectOption('recogniser')
      await item('Tones')
        .getByRole('button', { name: /^Install/ })
        .click()
      await page.getByLabel('I have read the licence CC0-1.0').check()
      await item('Tones')
        .getByRole('button', { name: /^Download/ })
        .click()
      await item('Tones').getByText('The downloaded file is not the expected one').waitFor()
      await dialog().getByLabel('Show').selectOption('voice')
      await item('Anna').getByRole('button', { name: 'Remove...: Anna' }).click()
      await item('Anna')
        .getByRole('button', { name: /^Delete it/ })
        .click()
      await item('Anna')
        .getByRole('button', { name: /^Install/ })
        .waitFor()
      await dialog().getByRole('button', { name: 'Close' }).click()
      await closeForm(page, 'cancel')
      expect(opened.problems).toEqual([])
    })
  })
})
