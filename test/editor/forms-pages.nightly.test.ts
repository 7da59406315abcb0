import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode, invalidNodes } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  openForm,
  openMore,
  openNewService,
  openNewSpeaker,
} from '@parlando/test-support/editor/forms'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

declare const RED: { nodes: { node(id: string): { name: string } } }

/** The labels of the open form that are above their fields, when a scroll bar takes some of its width. */
const labelsAboveFields = (page: Page) =>
  page
    .locator('#dialog-form, #node-config-dialog-edit-form')
    .last()
    .evaluate((form) => {
      form.style.width = `${form.clientWidth - 20}px`
      return Array.from(form.querySelectorAll<HTMLElement>('.form-row > label'))
        .map((label) => {
          const fields = Array.from(label.parentElement!.children).slice(1)
          return { label, field: fields.find((field) => field.checkVisibility()) }
        })
        .filter(({ label, field }) => {
          const bottom = label.getBoundingClientRect().bottom
          return label.checkVisibility() && field && field.getBoundingClientRect().top >= bottom
        })
        .map(({ label }) => label.textContent)
    })

describeInBrowser('the forms of pages and services', () => {
  const editor = useEditor()
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    opened = await editor.open({ language: 'de' })
    page = opened.page
  })
  afterAll(() => opened?.close())

  it('give each microphone that is dropped a page of its own', async () => {
    const names = []
    for (const y of [80, 140, 200]) {
      const id = await addNode(page, 'parlando-microphone', 200, y)
      names.push(await page.evaluate((id) => RED.nodes.node(id).name, id))
    }
    expect(names).toEqual(['', 'microphone 2', 'microphone 3'])
    expect(await invalidNodes(page)).toEqual([])
  })

  it('give each new speaker a page of its own, and say who can open it', async () => {
    await openForm(page, await addNode(page, 'parlando-announce', 500, 80))
    const names = []
    for (let count = 0; count < 2; count++) {
      await openNewSpeaker(page)
      await page.selectOption('#node-config-input-kind', 'page')
      await page.getByText('nimmt keine Verbindungen anderer Geräte an').waitFor()
      expect(await page.locator('.parlando-problem:visible').count()).toBe(0)
      names.push(await page.inputValue('#node-config-input-name'))
      await openMore(page)
      expect(await labelsAboveFields(page)).toEqual([])
      await closeService(page)
    }
    expect(names).toEqual(['', 'speaker 2'])
    await openMore(page)
    expect(await labelsAboveFields(page)).toEqual([])
    await closeForm(page)
  })

  it('explain the result of a test in the language of the editor', async () => {
    await openForm(page, await addNode(page, 'parlando-speak', 500, 200))
    await openNewService(page)
    await page.selectOption('#node-config-input-location', 'hosted')
    const results = [
      ['chat-only', 'http://127.0.0.1:9', 'Dieser Dienst hat Sprachmodelle'],
      ['not-this-service', 'http://127.0.0.1:9/v1', 'Entfernen Sie /v1'],
      ['not-reachable', 'http://127.0.0.1:9', 'Unter dieser Adresse antwortet niemand'],
    ] as const
    for (const [outcome, baseUrl, words] of results) {
      await page.route('**/parlando/test', (route) =>
        route.fulfill({ json: { outcome, reason: 'No response.' } }),
      )
      await page.fill('#node-config-input-baseUrl', baseUrl)
      await page.click('#parlando-service-test')
      const result = page.locator(`[data-outcome=${outcome}]`)
      await result.getByText(words).waitFor()
      // The sentence of the service is one of its own.
      expect(await result.locator('small[lang=en]').textContent()).toBe('No response.')
      await page.unroute('**/parlando/test')
    }
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
  })

  it('say in a chat node that this device can use language models', async () => {
    await page.route('**/parlando/models', (route) =>
      route.fulfill({ json: { models: [{ model: 'svc/models/echo' }, { model: 'qwen3' }] } }),
    )
    await openForm(page, await addNode(page, 'parlando-chat', 500, 260))
    await page.getByText('Dieses Gerät kann Sprachmodelle verwenden').waitFor()
    await closeForm(page, 'cancel')
  })
})
