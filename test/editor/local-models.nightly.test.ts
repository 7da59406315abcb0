import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { closeForm, listedChoices, openForm } from '@parlando/test-support/editor/forms'
import {
  startTinyModelService,
  type TinyModelService,
} from '@parlando/test-support/local-service/models/tiny-model-service'
import { keys } from '@parlando/test-support/secrets/keys'
import type { Page } from 'playwright-core'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'

declare const RED: { nodes: { node(id: string): object } }

describeInBrowser('more voices and languages', () => {
  const hosted = { id: 'hosted', type: 'parlando-service', location: 'hosted', name: 'Tiny' }
  const editor = useEditor([
    { id: 'tab', type: 'tab', label: 'Flow' },
    { ...hosted, baseUrl: 'http://127.0.0.1:9' },
  ])
  let service: TinyModelService
  let opened: EditorPage | undefined
  let page: Page
  const dialog = () => page.locator('dialog[open]')
  const item = (name: string) => dialog().locator('li', { hasText: new RegExp(`^${name}`) })
  beforeAll(async () => {
    service = await startTinyModelService(keys.service)
  })
  afterAll(() => service?.close())
  /** Whether the page is as the tests expect it. After a failed test, it is not. */
  let isClean = false
  beforeEach(async () => {
    if (isClean) return
    await opened?.close()
    opened = await editor.open()
    page = opened.page
  })
  beforeEach(() => {
    isClean = false
  })

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
    isClean = true
  })

  describe('of a service with tiny models', () => {
    beforeEach(async () => {
      const settings = { baseUrl: service.baseUrl, credentials: { apiKey: keys.service } }
      await page.evaluate((settings) => {
        Object.assign(RED.nodes.node('hosted'), settings)
      }, settings)
      await openForm(page, await addNode(page, 'parlando-speak', 300, 200))
      // The editor keeps the list of voices of the last service.
      await page.selectOption('#node-input-service', { label: 'This device' })
      await page.selectOption('#node-input-service', 'hosted')
      await openDialog()
    })
    afterEach(async ({ task }) => {
      await service.send('POST', '/local/v1/models/anna:cancel')
      await vi.waitFor(() => service.send('DELETE', '/local/v1/models/anna'), 20_000)
      await page.unrouteAll()
      if (task.result?.state === 'fail') return
      expect(opened?.problems).toEqual([])
      if (await dialog().isVisible()) await closeDialog()
      await closeForm(page, 'cancel')
      isClean = true
    })
    const openDialog = () => page.getByRole('button', { name: 'More voices and languages' }).click()
    const closeDialog = () => dialog().getByRole('button', { name: 'Close' }).click()
    const offer = (name: string) => item(name).getByRole('button', { name: `Install...: ${name}` })
    const download = (name: string) => item(name).getByRole('button', { name: /^Download/ })
    const accept = () => page.getByLabel('I have read the licence')
    const install = async (name: string) => {
      await offer(name).click()
      await accept().check()
      await download(name).click()
    }
    const progress = (name: string) => page.getByRole('progressbar', { name })
    const cancel = async (name: string) => {
      await item(name)
        .getByRole('button', { name: `Cancel: ${name}` })
        .click()
      await offer(name).waitFor()
    }

    it('download nothing before the licence is accepted', async () => {
      await offer('Anna').click()
      await item('Anna').getByText('Nobody may be impersonated.').waitFor()
      expect(await download('Anna').isDisabled()).toBe(true)
      await page.getByLabel('I have read the licence OpenRAIL-M and accept it').waitFor()
      expect(await accept().evaluate((box) => box === document.activeElement)).toBe(true)
      await accept().check()
      expect(await download('Anna').isDisabled()).toBe(false)
    })

    it('show the progress, which a screen reader reads out, and can be cancelled', async () => {
      const release = service.holdDownloads()
      await install('Anna')
      await progress('Anna').waitFor()
      await dialog()
        .getByRole('status')
        .getByText(/^Anna: /)
        .waitFor()
      await cancel('Anna')
      release()
    })

    it('are in the list of the form as soon as they are installed, although a response is late and requests fail', async () => {
      const release = service.holdDownloads()
      const respond = await holdResponse('cancel')
      await install('Anna')
      await progress('Anna').waitFor()
      await cancel('Anna')
      release()
      const { firstRejected } = await rejectNextLists(5)
      respond()
      await firstRejected
      await install('Anna')
      await chooseInstalled('Anna (sherpa)')
      expect(await page.inputValue('#node-input-voice')).toBe('sherpa-vits-piper-de_de-anna')
    })

    it('say why they are not installed while another one is', async () => {
      const release = service.holdDownloads()
      await install('Anna')
      await progress('Anna').waitFor()
      await dialog().getByLabel('Show').selectOption('recogniser')
      await install('Tones')
      const reason = item('Tones').getByRole('alert')
      await reason.getByText('anna is being installed').waitFor()
      // The next list does not clear it.
      await page.waitForResponse('**/parlando/local-models')
      await page.waitForResponse('**/parlando/local-models')
      expect(await reason.textContent()).toContain('anna is being installed')
      await dialog().getByLabel('Show').selectOption('voice')
      await cancel('Anna')
      release()
    })

    it('are followed in a dialog that is opened before the response to one that was closed', async () => {
      await install('Anna')
      await chooseInstalled('Anna (sherpa)')
      await openDialog()
      const respond = await holdResponse('remove')
      await item('Anna').getByRole('button', { name: 'Remove...: Anna' }).click()
      await item('Anna')
        .getByRole('button', { name: /^Delete it/ })
        .click()
      await closeDialog()
      await openDialog()
      await offer('Anna').waitFor()
      const release = service.holdDownloads()
      await install('Anna')
      await progress('Anna').waitFor()
      respond()
      await page.waitForResponse('**/parlando/local-models')
      release()
      await item('Anna').getByText('installed', { exact: true }).waitFor()
    })

    it('explain a failed installation and can be removed', async () => {
      await install('Anna')
      await item('Anna').getByText('installed', { exact: true }).waitFor()
      onTestFinished(service.damageDownloads())
      await dialog().getByLabel('Show').selectOption('recogniser')
      await install('Tones')
      await item('Tones').getByText('The downloaded file is not the expected one').waitFor()
      await dialog().getByLabel('Show').selectOption('voice')
      await item('Anna').getByRole('button', { name: 'Remove...: Anna' }).click()
      await item('Anna')
        .getByRole('button', { name: /^Delete it/ })
        .click()
      await offer('Anna').waitFor()
    })

    /** Holds back the response to a change. @returns a function that lets it arrive. */
    async function holdResponse(change: 'cancel' | 'remove') {
      let respond = () => {}
      const mayRespond = new Promise<void>((resolve) => {
        respond = resolve
      })
      await page.route(`**/parlando/local-models/${change}`, async (route) => {
        const response = await route.fetch()
        await mayRespond
        await route.fulfill({ response })
      })
      return respond
    }

    /** Rejects the next requests for the list. `firstRejected` resolves when the first one was rejected. */
    async function rejectNextLists(times: number) {
      let onRejection = () => {}
      const firstRejected = new Promise<void>((resolve) => {
        onRejection = resolve
      })
      await page.route(
        '**/parlando/local-models',
        async (route) => {
          await route.fulfill({ body: '{', contentType: 'application/json' })
          onRejection()
        },
        { times },
      )
      return { firstRejected }
    }

    async function chooseInstalled(voice: string) {
      await item('Anna').getByText('installed', { exact: true }).waitFor()
      await closeDialog()
      await page.fill('#node-input-voice', 'Anna')
      await listedChoices(page).getByText(voice).click()
    }
  })
})
