import { type LocalService, startLocalService } from '@parlando/local-service'
import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode, invalidNodes } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  listedChoices,
  openForm,
  openMore,
  openNewSpeaker,
  openService,
} from '@parlando/test-support/editor/forms'
import { nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { keys } from '@parlando/test-support/secrets/keys'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { harmful, savedBefore, story } from './flows/forms.ts'

declare const RED: {
  nodes: { getNodeLinks(node: object, port: number): { target: { id: string; type: string } }[] }
  actions: { invoke(action: string): void }
} & {
  nodes: {
    node(id: string): object
    getType(type: string): {
      defaults: Record<string, { validate?: (...values: unknown[]) => unknown }>
    }
  }
}

describeInBrowser('the forms', () => {
  const editor = useEditor([...savedBefore, ...harmful, story])
  let local: LocalService
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    local = await startLocalService({ apiKey: keys.service, warmUp: false })
    opened = await editor.open()
    page = opened.page
  })
  afterAll(() => local.close())

  it('accept a flow of the first version and show its saved values', async () => {
    expect(await invalidNodes(page)).toEqual([])
    await openForm(page, 'speak')
    await openMore(page)
    expect(await page.inputValue('#node-input-encoding')).toBe('MULAW')
    expect(await page.locator('#node-input-sampleRate option').allTextContents()).toEqual([
      '8000 Hz',
    ])
    await page.selectOption('#node-input-encoding', 'MP3')
    expect(await page.inputValue('#node-input-sampleRate')).toBe('24000')
    expect(await page.inputValue('#node-input-busy')).toBe('parallel')
    await openService(page)
    expect(await page.inputValue('#node-config-input-encoding')).toBe('MP3')
    expect(await page.locator('.input-error:visible').count()).toBe(0)
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
    await openForm(page, 'voices')
    expect(await page.inputValue('#node-input-output')).toBe('whole')
    await closeForm(page, 'cancel')
  })

  it('keep the sample rate while the service has an encoding that does not support it', async () => {
    const rate = page.locator('#node-input-sampleRate')
    const open = async (encoding: string) => {
      await openForm(page, 'chunks')
      await openMore(page)
      await openService(page)
      await page.selectOption('#node-config-input-encoding', encoding)
      await closeService(page, 'ok')
    }
    const saved = () =>
      page.evaluate(() => (RED.nodes.node('chunks') as { sampleRate: string }).sampleRate)
    await open('MULAW')
    // The form takes over the settings of the service after its own form has closed.
    await expect.poll(() => rate.locator('option').allTextContents()).toEqual(['8000 Hz'])
    await closeForm(page)
    expect(await saved()).toBe('48000')
    await open('MP3')
    await expect.poll(() => rate.inputValue()).toBe('48000')
    await rate.selectOption('24000')
    await closeForm(page)
    expect(await saved()).toBe('24000')
  })

  it('preview the cleaned text', async () => {
    await openForm(page, 'speak')
    await openMore(page)
    expect(await page.locator('#parlando-speak-sample').isVisible()).toBe(false)
    await page.check('#node-input-clean')
    await page.fill('#parlando-speak-sample', '# Dinner is **ready** 🍲')
    await page.getByText('Spoken: “Dinner is ready.”').waitFor()
    await closeForm(page, 'cancel')
  })

  it('say which voice speaks without a choice, also after the language has changed', async () => {
    await openForm(page, 'speak')
    await page.getByText('Without a choice: Heart').waitFor()
    await openMore(page)
    await page.fill('#node-input-language', 'de-DE')
    await page.keyboard.press('Tab')
    await page.getByText('Without a choice: Greta').waitFor()
    await closeForm(page, 'cancel')
  })

  it('name a number with its unit', async () => {
    await openForm(page, 'speak')
    await openService(page)
    await openMore(page)
    for (const name of ['Characters a day', 'Characters a month']) {
      expect(await page.getByRole('spinbutton', { name, exact: true }).count(), name).toBe(1)
    }
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
  })

  it('leave a button on the canvas that stops the work of a node, while it works', async () => {
    const button = page.locator('[id="speak"] .red-ui-flow-node-button')
    expect(await button.isVisible()).toBe(false)
    await editor.nodeRed().inject('story')
    await button.waitFor({ state: 'visible' })
    await button.locator('.red-ui-flow-node-button-button').click()
    await button.waitFor({ state: 'hidden' })
    expect(editor.nodeRed().statuses('speak').at(-1)).toBe('')
  })

  it('say what chunks do to the nodes behind them, and offer to insert a join or to switch', async () => {
    const badge = page.locator('[id="chunks"] .parlando-output-badge')
    const targets = (id: string) =>
      page.evaluate(
        (id) => RED.nodes.getNodeLinks(RED.nodes.node(id), 0).map(({ target }) => target.type),
        id,
      )
    await badge.waitFor({ state: 'visible' })
    expect(await page.locator('[id="speak"] .parlando-output-badge').isVisible()).toBe(false)

    await openForm(page, 'chunks')
    const note = page.locator('#node-input-output-note')
    await note.getByText('exec runs once for every chunk').waitFor()
    await note.getByRole('button', { name: 'Insert a join node' }).click()
    await note.getByText('The fastest start').waitFor()
    await closeForm(page, 'cancel')
    await badge.waitFor({ state: 'hidden' })
    expect((await targets('chunks')).sort()).toEqual(['debug', 'join'])
    await page.evaluate(() => RED.actions.invoke('core:undo'))
    await badge.waitFor({ state: 'visible' })
    expect((await targets('chunks')).sort()).toEqual(['change', 'debug'])

    await openForm(page, 'chunks')
    await note.getByRole('button', { name: 'one message with all audio' }).click()
    await note.getByText('For files').waitFor()
    await closeForm(page)
    await badge.waitFor({ state: 'hidden' })
  })

  it('list the language models of the service', async () => {
    const chat = await addNode(page, 'parlando-chat', 300, 200)
    await openForm(page, chat)
    await page.selectOption('#node-input-service', 'service')
    await page.focus('#node-input-model')
    await page.keyboard.press('ArrowDown')
    await listedChoices(page).filter({ hasText: 'svc/models/echo' }).click()
    expect(await page.inputValue('#node-input-model')).toBe('svc/models/echo')
    await closeForm(page)
  })

  it('say how many fields below "More" were changed', async () => {
    await openForm(page, 'speak')
    await page.getByText('More (4 changed)').waitFor()
    await closeForm(page, 'cancel')
  })

  it.each(casesToRun(nodeTypes, 2))('give every field a label: %s', async (type) => {
    await openForm(page, await addNode(page, type, 500, 300))
    const nameless = await page.locator('#dialog-form').evaluate((form) =>
      Array.from(
        form.querySelectorAll<HTMLInputElement>('[id^=node-input-]:is(input, select, textarea)'),
      )
        .filter(({ type }) => type !== 'hidden')
        .filter((field) => !form.querySelector(`label[for="${field.id}"]`)?.textContent?.trim())
        .map(({ id }) => id),
    )
    expect(nameless).toEqual([])
    await closeForm(page, 'cancel')
  })

  it('mark a setting that is not valid, and explain it', async () => {
    await openForm(page, await addNode(page, 'parlando-announce', 500, 300))
    await openMore(page)
    await page.fill('#node-input-volume', '101')
    await page.keyboard.press('Tab')
    await page.locator('#node-input-volume.input-error').hover()
    await page.getByText('enter a number from 0 to 100').waitFor()
    await closeForm(page, 'cancel')
  })

  it('have validators that can state a reason, which takes two parameters', async () => {
    const types = [...nodeTypes, 'parlando-service', 'parlando-speaker']
    const unable = await page.evaluate((types) => {
      const namesOf = (type: string) =>
        Object.entries(RED.nodes.getType(type).defaults).flatMap(([name, { validate }]) =>
          validate && validate.length !== 2 ? `${type}.${name}` : [],
        )
      return types.flatMap(namesOf)
    }, types)
    expect(unable).toEqual([])
  })

  it('give every field of a speaker a label, and link its page', async () => {
    await openForm(page, await addNode(page, 'parlando-play', 500, 350))
    await openNewSpeaker(page)
    const title = await page.locator('#red-ui-editor-stack').textContent()
    expect(title).toContain('Add new speaker config node')
    const form = page.locator('#node-config-dialog-edit-form')
    const nameless = await form.evaluate((form) =>
      Array.from(
        form.querySelectorAll<HTMLInputElement>('[id^=node-config-input-]:not([id$=-note])'),
      )
        .filter(({ labels, ariaLabel }) => !labels?.[0]?.textContent?.trim() && !ariaLabel)
        .map(({ id }) => id),
    )
    expect(nameless).toEqual([])
    const link = form.locator('#parlando-speaker-page')
    expect(await link.isVisible()).toBe(false)
    await page.selectOption('#node-config-input-kind', 'page')
    await page.fill('#node-config-input-name', 'Küche oben')
    await link.getByText('/parlando/speaker/küche-oben').waitFor()
    expect(await link.getAttribute('href')).toMatch(/\/parlando\/speaker\/k%C3%BCche-oben$/)
    await closeService(page, 'cancel')
    await closeForm(page, 'cancel')
  })

  it('give the nodes of a speaker an output for the address when another node plays for it', async () => {
    const outputsOf = (id: string) =>
      page.evaluate((id) => (RED.nodes.node(id) as { outputs: number }).outputs, id)
    const play = await addNode(page, 'parlando-play', 500, 420)
    await openForm(page, play)
    await openNewSpeaker(page)
    await page.fill('#node-config-input-name', 'Hall')
    await closeService(page, 'ok')
    await closeForm(page, 'ok')
    const announce = await addNode(page, 'parlando-announce', 500, 480)
    await openForm(page, announce)
    await page.selectOption('#node-input-speaker', { label: 'Hall' })
    await page.click('#node-input-btn-speaker-edit')
    await page.locator('#node-config-dialog-ok').waitFor()
    expect([await outputsOf(play), await outputsOf(announce)]).toEqual([1, 2])
    await page.selectOption('#node-config-input-kind', 'another-node')
    await closeService(page, 'ok')
    await closeForm(page, 'ok')
    expect([await outputsOf(play), await outputsOf(announce)]).toEqual([2, 3])
  })

  it('cause no console errors', () => {
    expect(opened.problems).toEqual([])
  })
})
