import { expectAccessible } from '@parlando/test-support/editor/accessibility'
import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { openStudio, startBrowserForStudio } from '@parlando/test-support/editor/studio'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'

const place = { z: 'tab', x: 200, y: 200, wires: [[]] }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { ...place, id: 'speak', type: 'parlando-speak', service: '', text: 'payload', textType: 'msg' },
]

declare const RED: { nodes: { node(id: string): { voice?: string } } }

describeInBrowser('the voice studio', () => {
  const editor = useEditor(flow, startBrowserForStudio)
  let opened: EditorPage
  let page: Page
  let studio: Locator
  beforeAll(async () => {
    opened = await editor.open({ hasMicrophone: true })
    page = opened.page
  })

  it('is a script that the editor loads when somebody opens it', async () => {
    const loaded = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/studio.js')),
      )
    expect(await loaded()).toEqual([])
    studio = await openStudio(page)
    expect(await loaded()).toHaveLength(1)
  })

  it('records, and shows level, length and advice meanwhile', async () => {
    await studio.getByText('A boy in a blue jacket').waitFor()
    await studio.getByRole('button', { name: 'Record' }).click()
    const meter = studio.getByRole('meter', { name: 'Level' })
    await page.waitForFunction(
      () => Number(document.querySelector('[role=meter]')?.getAttribute('aria-valuenow')) > -30,
    )
    await studio.getByText('Speak now').waitFor()
    await studio.getByText('Long enough').waitFor()
    await expectAccessible(page, '.parlando-studio')
    await studio.getByRole('button', { name: 'Stop' }).click()
    await meter.waitFor({ state: 'detached' })
    await studio.getByText('Good: clear, and long enough').waitFor()
  })

  it('clones the part that is chosen, and plays the original and then the clone', async () => {
    await studio.getByLabel('To (s)').fill('5.4')
    await studio.getByLabel('Name', { exact: true }).fill('Anna')
    await studio.getByLabel('Tags', { exact: true }).fill('calm, family')
    const request = page.waitForRequest((request) => request.url().endsWith('/studio/clone'))
    await studio.getByRole('button', { name: 'Clone the voice' }).click()
    const { recording } = (await request).postDataJSON() as { recording: string }
    const seconds = (Buffer.from(recording, 'base64').length - 44) / 48_000
    const start = Number(await studio.getByLabel('From (s)').inputValue())
    expect(seconds).toBeCloseTo(5.4 - start, 1)
    await studio.getByText('“Anna” is ready').waitFor()
    const played = (await opened.playedSeconds()).length
    await studio.getByRole('button', { name: 'Original, then clone' }).click()
    await expect
      .poll(async () => (await opened.playedSeconds()).length, { timeout: 30_000 })
      .toBe(played + 2)
    await studio.getByRole('button', { name: 'Stop' }).click()
    await expectAccessible(page, '.parlando-studio')
  })

  it('lists the clone, and chooses it in the selected nodes', async () => {
    const item = studio.getByRole('listitem').filter({ hasText: 'calm · family' })
    await item.getByRole('button', { name: 'Use: Anna' }).click()
    await page.getByText('First select nodes').waitFor()
    await page.locator('[id="speak"]').click()
    await item.getByRole('button', { name: 'Use: Anna' }).click()
    await page.getByText('“Anna” is the voice of 1 selected nodes').waitFor()
    expect(await page.evaluate(() => RED.nodes.node('speak').voice)).toMatch(/^local__anna-/)
  })

  it('leaves no error behind', () => {
    expect(opened.problems).toEqual([])
  })
})
