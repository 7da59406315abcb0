import {
  addNode,
  closeForm,
  closeService,
  deploy,
  describeInBrowser,
  type EditorPage,
  listedChoices,
  openForm,
  openNewSpeaker,
  useEditor,
} from '@parlando/test-support/editor/editor'
import {
  type HomeAssistantStandIn,
  startStandIn,
} from '@parlando/test-support/home-assistant/stand-in'
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
    expect(opened.problems).toEqual([])
  })
})
