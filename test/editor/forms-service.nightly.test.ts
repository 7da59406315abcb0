import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode, deploy, invalidNodes } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  openForm,
  openNewService,
  openService,
} from '@parlando/test-support/editor/forms'
import { serviceNodes } from '@parlando/test-support/node-red/node-cases'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'

declare const RED: {
  nodes: { filterNodes(filter: object): { id: string; service: string }[] }
  actions: { invoke(action: string): void }
}

const serviceTypes = serviceNodes.map(({ type }) => type)

const servicesOfNodes = (page: Page) =>
  page.evaluate(() => RED.nodes.filterNodes({ type: 'parlando-speak' }).map((node) => node.service))
const invoke = (page: Page, action: string) =>
  page.evaluate((action) => RED.actions.invoke(action), action)

describeInBrowser('the service of a node', () => {
  const editor = useEditor()
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    opened = await editor.open()
    page = opened.page
  })

  it('is this device, without a form or a configuration node', async () => {
    for (const [index, type] of serviceTypes.entries()) {
      const id = await addNode(page, type, 200, 80 + 60 * index)
      expect(await invalidNodes(page)).toEqual([])
      await openForm(page, id)
      expect(await page.locator('#node-input-service option').allTextContents()).toEqual([
        'This device',
      ])
      expect(await page.locator('#dialog-form .input-error').count()).toBe(0)
      expect(await page.locator('.parlando-problem:visible').count()).toBe(0)
      await closeForm(page)
      expect(await invalidNodes(page)).toEqual([])
    }
    await deploy(page)
    expect(editor.nodeRed().log()).not.toMatch(/\[(error|warn)\] \[/)
  })

  it('is called a speech service in the form', async () => {
    await openForm(page, await addNode(page, 'parlando-speak', 500, 80))
    for (const [button, words] of [
      ['add', 'Add a speech service'],
      ['edit', 'Edit this speech service'],
    ]) {
      await page.hover(`#node-input-btn-service-${button}`)
      await page.locator('.red-ui-popover', { hasText: words! }).waitFor()
    }
    await openNewService(page)
    const title = await page.locator('#red-ui-editor-stack').textContent()
    expect(title).toContain('Add new speech service config node')
    expect(title).not.toContain('parlando-service')
  })

  it('can be tested before the first deploy', async () => {
    await page.click('#parlando-service-test')
    await page.locator('[data-outcome=well]', { hasText: /first audio after \d+ ms/ }).waitFor()
  })

  it('shows the button for its kept sound only if it is deployed, or if Node-RED is away', async () => {
    const isHidden = () =>
      page
        .locator('#parlando-service-clear')
        .evaluate((button) => button.parentElement!.style.display === 'none')
    await expect.poll(isHidden).toBe(true)
    await closeService(page, 'cancel')
    await page.route('**/parlando/kept-sound', (route) => route.abort())
    await openNewService(page)
    const note = page.locator('.parlando-problem', { hasText: 'Node-RED does not respond' })
    await note.waitFor({ state: 'attached' })
    expect(await isHidden()).toBe(false)
    await page.unroute('**/parlando/kept-sound')
  })

  it('explains in a chat node that this device has no language model', async () => {
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
    await openForm(page, await addNode(page, 'parlando-chat', 500, 300))
    const note = page.getByText('This device has no language model of its own')
    await note.waitFor()
    await page.fill('#node-input-model', 'my-model')
    await page.keyboard.press('Tab')
    await note.waitFor({ state: 'hidden' })
    await closeForm(page, 'cancel')
  })

  it('is, for a dropped node, the one that most nodes use', async () => {
    const [, speak] = await page.evaluate(() =>
      RED.nodes.filterNodes({ type: 'parlando-speak' }).map(({ id }) => id),
    )
    await openForm(page, speak!)
    await openNewService(page)
    await page.selectOption('#node-config-input-location', 'hosted')
    await page.fill('#node-config-input-baseUrl', editor.nodeRed().baseUrl)
    await closeService(page)
    const [, thisDevice] = await page.locator('#node-input-service option').allTextContents()
    expect(thisDevice).toBe('This device')
    const service = await page.inputValue('#node-input-service')
    await closeForm(page)
    expect(await servicesOfNodes(page)).toEqual(['', service])
    await addNode(page, 'parlando-speak', 500, 140)
    // Five nodes use this device.
    expect(await servicesOfNodes(page)).toEqual(['', service, ''])
    for (const type of serviceTypes) {
      const [id] = await page.evaluate(
        (type) => RED.nodes.filterNodes({ type }).map(({ id }) => id),
        type,
      )
      await openForm(page, id!)
      await page.selectOption('#node-input-service', service)
      await closeForm(page)
    }
    await addNode(page, 'parlando-speak', 500, 200)
    expect(await servicesOfNodes(page)).toEqual([service, service, '', service])
  })

  it('stays the same and valid in copies, and when the service is deleted and restored', async () => {
    const [service] = await servicesOfNodes(page)
    await invoke(page, 'core:select-all-nodes')
    await invoke(page, 'core:copy-selection-to-internal-clipboard')
    await invoke(page, 'core:paste-from-internal-clipboard')
    const chart = (await page.locator('#red-ui-workspace-chart').boundingBox())!
    await page.mouse.move(chart.x + 400, chart.y + 400)
    await page.mouse.click(chart.x + 400, chart.y + 400)
    const pasted = [service, service, '', service]
    expect(await servicesOfNodes(page)).toEqual([...pasted, ...pasted])
    expect(await invalidNodes(page)).toEqual([])

    const [speak] = await page.evaluate(() =>
      RED.nodes.filterNodes({ type: 'parlando-speak' }).map(({ id }) => id),
    )
    await openForm(page, speak!)
    await openService(page)
    await page.locator('.red-ui-tray').last().getByRole('button', { name: 'Delete' }).click()
    await page.locator('#node-config-dialog-ok').waitFor({ state: 'detached' })
    expect(await page.locator('#node-input-service option').allTextContents()).toEqual([
      'This device',
    ])
    await closeForm(page)
    expect(new Set(await servicesOfNodes(page))).toEqual(new Set(['']))
    expect(await invalidNodes(page)).toEqual([])
    await invoke(page, 'core:undo')
    expect(await servicesOfNodes(page)).toEqual([...pasted, ...pasted])
    expect(await invalidNodes(page)).toEqual([])
  })

  it('causes no console errors', () => {
    expect(opened.problems).toEqual([])
  })
})

describeInBrowser('the list of words of a service', () => {
  const editor = useEditor([
    { id: 'tab', type: 'tab', label: 'Flow' },
    {
      id: 'words',
      type: 'parlando-service',
      name: 'Words',
      location: 'device',
      pronunciations: [{ word: 'Xiaomi', sayAs: 'shau mee' }],
    },
    { id: 'speak', type: 'parlando-speak', z: 'tab', service: 'words', x: 200, y: 80, wires: [[]] },
  ])

  it('is edited, checked and heard in the form', async () => {
    const { page } = await editor.open()
    await openForm(page, 'speak')
    await openService(page)
    await page.getByText('More (1').click()
    const rows = page.locator('.parlando-pronunciations li')
    await page.getByText('Add a word').click()
    await rows.nth(1).getByLabel('Word, such as Nguyen').fill('Nguyen')
    const note = page.getByText('“Nguyen”: enter the word and how to say it')
    await note.waitFor()
    await rows.nth(1).getByLabel('How to say it').fill('/wɪn/')
    await page.getByText('cannot read phonetic writing').waitFor()
    await rows.nth(1).getByLabel('How to say it').fill('win')
    const spoken = page.waitForRequest((request) => request.url().endsWith('/parlando/listen'))
    await rows.nth(1).getByRole('button', { name: 'Listen' }).click()
    expect((await spoken).postDataJSON()).toMatchObject({ text: 'win' })
    await rows.nth(0).getByRole('button', { name: 'Remove the word' }).click()
    await closeService(page)
    await closeForm(page)
    const saved = await page.evaluate(() =>
      (RED.nodes as unknown as { node(id: string): object }).node('words'),
    )
    expect(saved).toMatchObject({ pronunciations: [{ word: 'Nguyen', sayAs: 'win' }] })
    expect(await invalidNodes(page)).toEqual([])
  })
})
