import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode, deploy } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  listedChoices,
  openForm,
  openNewSpeaker,
} from '@parlando/test-support/editor/forms'
import {
  type HomeAssistantStandIn,
  startStandIn,
} from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant'
import { afterAll, beforeAll, expect, it } from 'vitest'

describeInBrowser('the form of a speaker', () => {
  const editor = useEditor()
  let homeAssistant: HomeAssistantStandIn
  let opened: EditorPage
  beforeAll(async () => {
    homeAssistant = await startStandIn(
      { 'media_player.radio': 'plays', 'assist_satellite.hall': 'satellite' },
      process.env,
    )
    opened = await editor.open()
  })
  afterAll(() => homeAssistant.close())

  it('lists the devices of Home Assistant, also with a saved token, which it does not contain', async () => {
    const { page } = opened
    const play = await addNode(page, 'parlando-play', 500, 100)
    await openForm(page, play)
    await openNewSpeaker(page)
    await page.selectOption('#node-config-input-kind', 'home-assistant')
    const rows = page.locator('#node-config-dialog-edit-form .form-row:visible > label')
    const labels = (await rows.allTextContents()).map((label) => label.trim())
    const asked = ['HA address', 'Access token', 'Device', 'Address', 'Players get']
    expect(labels.slice(2, 7)).toEqual(asked)
    await page.fill('#node-config-input-homeAssistantAddress', homeAssistant.address)
    await page.fill('#node-config-input-homeAssistantToken', homeAssistant.token)
    await page.click('#node-config-input-homeAssistantEntity + button')
    await listedChoices(page).first().waitFor()
    expect(await listedChoices(page).allTextContents()).toEqual([
      'radioKitchenmedia_player.radio · starts its music again after a sound · has a volume',
      'hallKitchenassist_satellite.hall · voice satellite',
    ])
    await listedChoices(page).first().click()
    const device = page.locator('#node-config-input-homeAssistantEntity')
    expect(await device.inputValue()).toBe('media_player.radio')
    await closeService(page, 'ok')
    await closeForm(page, 'ok')
    await deploy(page)

    await openForm(page, play)
    await page.click('#node-input-btn-speaker-edit')
    await page.locator('#node-config-dialog-ok').waitFor()
    const token = page.locator('#node-config-input-homeAssistantToken')
    expect(await token.inputValue()).toBe('__PWRD__')
    await page.click('#node-config-input-homeAssistantEntity + button')
    await listedChoices(page).first().waitFor()
    expect(await listedChoices(page).count()).toBe(2)
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
    expect(opened.problems).toEqual([])
  })
  it('finds speakers when somebody asks for them, plays a chime there, and takes one', async () => {
    const { page } = opened
    const found = (name: string, address: string) => {
      return { kind: 'mpd', name, address, settings: { mpd: address } }
    }
    const speakers = [found('<b>Hall</b>', '127.0.0.1:2'), found('Kitchen', '192.0.2.7:6600')]
    let searches = 0
    // In place of the network, into which no test may send.
    await page.route('**/parlando/find-speakers', (route) => {
      searches += 1
      return route.fulfill({ json: { speakers, isInContainer: false } })
    })
    const play = await addNode(page, 'parlando-play', 500, 200)
    await openForm(page, play)
    await openNewSpeaker(page)
    expect(searches).toBe(0)
    await page.click('#parlando-speaker-find')
    const lines = page.locator('#parlando-speaker-found li')
    await lines.first().waitFor()
    expect(await lines.allTextContents()).toEqual([
      '<b>Hall</b>MPD, Mopidy, Volumio or moOde · 127.0.0.1:2',
      'KitchenMPD, Mopidy, Volumio or moOde · 192.0.2.7:6600',
    ])
    await lines.first().getByRole('button', { name: 'Play a chime' }).click()
    await lines.first().getByText('MPD cannot be reached at 127.0.0.1:2').waitFor()
    await lines.last().getByRole('button', { name: 'Choose this speaker' }).click()
    expect(await page.inputValue('#node-config-input-kind')).toBe('mpd')
    expect(await page.inputValue('#node-config-input-mpd')).toBe('192.0.2.7:6600')
    expect(await page.inputValue('#node-config-input-name')).toBe('Kitchen')
    expect(await lines.count()).toBe(0)
    await page.unroute('**/parlando/find-speakers')
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
    expect(opened.problems).toEqual([])
  })
})
