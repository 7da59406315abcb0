import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { deploy } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  openForm,
  openNewSpeaker,
} from '@parlando/test-support/editor/forms'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

declare const RED: {
  nodes: {
    node(id: string): { outputs: number; alsoOn: string[]; instead: string[] }
    createExportableNodeSet(nodes: unknown[]): { id: string }[]
  }
}

const speaker = (id: string, settings: object) => ({ id, type: 'parlando-speaker', ...settings })
const node = (id: string, type: string, settings: object) => ({
  ...{ id, type, z: 'tab', x: 300, wires: [[]], ...settings },
})

describeInBrowser('the list of further speakers', () => {
  const editor = useEditor([
    { id: 'tab', type: 'tab', label: 'Flow' },
    speaker('tablet', { name: 'Tablet', kind: 'page', room: 'Kitchen' }),
    speaker('radio', { name: 'Radio', kind: 'another-node', room: 'Kitchen' }),
    speaker('bedroom', { name: 'Bedroom', kind: 'machine' }),
    node('play', 'parlando-play', { y: 100, speaker: 'bedroom', outputs: 1 }),
    node('announce', 'parlando-announce', {
      ...{ y: 200, outputs: 2, wires: [[], []] },
      alsoOn: ['bedroom', 'gone'],
    }),
  ])
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    opened = await editor.open()
    page = opened.page
  })
  afterAll(() => opened?.close())

  const summary = () => page.locator('.parlando-ticks > summary')
  const lines = () => page.locator('.parlando-ticks li')
  const box = (name: string) => lines().filter({ hasText: name }).getByRole('checkbox')
  const nodeOf = (id: string) =>
    page.evaluate((id) => {
      const { outputs, alsoOn } = RED.nodes.node(id)
      return { outputs, alsoOn }
    }, id)

  it('offers everywhere, the rooms and the other speakers of a node from an earlier version', async () => {
    await openForm(page, 'play')
    expect(await summary().textContent()).toBe('no other speaker')
    await summary().click()
    expect(await lines().allTextContents()).toEqual([
      ' everywhere: all speakers',
      ' Kitchen room',
      ' Radio',
      ' Tablet',
    ])
  })

  it('saves what is ticked, and gives the node the output for another node that plays', async () => {
    await box('Tablet').check()
    await box('Kitchen').check()
    expect(await summary().textContent()).toBe('Kitchen, Tablet')
    await closeForm(page)
    expect(await nodeOf('play')).toEqual({ outputs: 2, alsoOn: ['tablet', 'Kitchen'] })
    await openForm(page, 'play')
    expect(await summary().textContent()).toBe('Kitchen, Tablet')
    await summary().click()
    await box('Kitchen').uncheck()
    await closeForm(page)
    expect(await nodeOf('play')).toEqual({ outputs: 1, alsoOn: ['tablet'] })
  })

  it('keeps a speaker that no longer exists until it is unticked, and says what an empty speaker means', async () => {
    await openForm(page, 'announce')
    const empty = page.locator('#node-input-speaker option:checked')
    expect(await empty.textContent()).toBe('only the speakers below')
    expect(await summary().textContent()).toBe('Bedroom, gone')
    await summary().click()
    await box('gone').uncheck()
    await box('Bedroom').uncheck()
    expect(await empty.textContent()).toBe('Editor, or this machine')
    await box('everywhere').check()
    await closeForm(page)
    expect(await nodeOf('announce')).toEqual({ outputs: 3, alsoOn: ['everywhere'] })
    await openForm(page, 'announce')
    expect(await lines().last().textContent()).toBe(' Tablet')
    await closeForm(page)
  })

  it('goes with the node that is exported, and does not count as unused', async () => {
    const exported = await page.evaluate(() =>
      RED.nodes.createExportableNodeSet([RED.nodes.node('play')]).map(({ id }) => id),
    )
    expect(exported.sort()).toEqual(['bedroom', 'play', 'tablet'])
    await deploy(page)
    expect(opened.problems).toEqual([])
  })

  it('offers substitutes in the form of a speaker, which may stand in for each other', async () => {
    const choose = async (own: string, other: string) => {
      await openForm(page, 'play')
      await page.selectOption('#node-input-speaker', own)
      await page.click('#node-input-btn-speaker-edit')
      const form = page.locator('#node-config-dialog-edit-form')
      await form.locator('.parlando-more > summary').click()
      await form.locator('#parlando-instead').click()
      await form.locator('li').filter({ hasText: other }).getByRole('checkbox').check()
      await closeService(page)
      await closeForm(page)
    }
    await choose('tablet', 'Bedroom')
    await choose('bedroom', 'Tablet')
    const saved = await page.evaluate(() =>
      ['tablet', 'bedroom'].map((id) => RED.nodes.node(id).instead),
    )
    expect(saved).toEqual([
      ['', 'bedroom'],
      ['', 'tablet'],
    ])
    await deploy(page)
    expect(opened.problems).toEqual([])
  })

  it('says if this device has no recogniser for the language of spoken commands', async () => {
    await openForm(page, 'play')
    await openNewSpeaker(page)
    await page.selectOption('#node-config-input-kind', 'machine')
    await page.locator('#node-config-dialog-edit-form .parlando-more > summary').click()
    await page.fill('#node-config-input-language', 'ja-JP')
    await page.selectOption('#node-config-input-hearing', 'yes')
    await page.waitForFunction(
      (id) => document.getElementById(id)?.textContent?.includes('Japanese'),
      'node-config-input-hearing-note',
    )
    await page.selectOption('#node-config-input-hearing', 'no')
    await page.waitForFunction(
      (id) => document.getElementById(id)?.textContent === '',
      'node-config-input-hearing-note',
    )
    await closeService(page, 'cancel')
    await closeForm(page)
  })

  it('offers the members of a group, whose nodes get the output for another node that plays', async () => {
    await openForm(page, 'play')
    await openNewSpeaker(page)
    const form = page.locator('#node-config-dialog-edit-form')
    await page.selectOption('#node-config-input-kind', 'group')
    const labels = form.locator('.form-row:visible > label')
    const rows = (await labels.allTextContents()).map((label) => label.trim())
    expect(rows).toEqual(['Name', 'Where it plays', 'Members', 'Room'])
    await form.locator('#parlando-members').click()
    await form.locator('li').filter({ hasText: 'Radio' }).getByRole('checkbox').check()
    await closeService(page)
    await closeForm(page)
    expect((await nodeOf('play')).outputs).toBe(2)
    await deploy(page)
    expect(opened.problems).toEqual([])
  })
})
