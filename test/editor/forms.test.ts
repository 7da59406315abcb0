import type { ServerResponse } from 'node:http'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { findClippedTexts } from '@parlando/test-support/editor/clipping'
import { measureContrast } from '@parlando/test-support/editor/contrast'
import {
  addNode,
  closeForm,
  closeService,
  describeInBrowser,
  type EditorPage,
  invalidNodes,
  listedChoices,
  openForm,
  openNewService,
  openService,
  useEditor,
} from '@parlando/test-support/editor/editor'
import { keys } from '@parlando/test-support/keys'
import { nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { nodeRedPackage } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/test-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The format of the first version. */
const savedBefore = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'service', type: 'parlando-service', name: '', location: 'device', baseUrl: '' },
  {
    id: 'speak',
    type: 'parlando-speak',
    z: 'tab',
    name: '',
    service: 'service',
    text: 'payload',
    textType: 'msg',
    voice: '',
    model: 'svc-tts-2',
    encoding: 'MULAW',
    sampleRate: '8000',
    output: 'chunks',
    busy: 'beside',
    x: 200,
    y: 500,
    wires: [[]],
  },
  {
    id: 'voices',
    type: 'parlando-voices',
    z: 'tab',
    name: '',
    service: 'service',
    operation: 'list',
    voice: '',
    languages: '',
    search: '',
    output: 'all',
    x: 200,
    y: 600,
    wires: [[]],
  },
]

const voices = [
  { voiceId: 'ada', displayName: 'Ada', langCode: 'EN_GB', source: 'SYSTEM' },
  {
    voiceId: 'u1__own',
    displayName: 'My own',
    langCode: 'DE_DE',
    source: 'IVC',
    description: 'of mine',
  },
]
const rejection = '{"error":{"code":16,"message":"this key may not do that"}}'

/** Starts a server that sends one response to list requests and another to all others. */
const startListServer = (list: [number, string], other: [number, string] = list) =>
  startTestServer((response: ServerResponse, request) => {
    const [status, body] = request.method === 'GET' ? list : other
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })

describeInBrowser('the forms', () => {
  const editor = useEditor(savedBefore)
  let local: LocalService
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    local = await startLocalService({ apiKey: keys.service, warmUp: false })
    opened = await editor.open()
    page = opened.page
  }, 60_000)
  afterAll(() => local.close())

  it('accept a flow of the first version and show its saved values', async () => {
    expect(await invalidNodes(page)).toEqual([])
    await openForm(page, 'speak')
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

  describe('a hosted service that is not deployed', () => {
    beforeAll(async () => {
      await openForm(page, await addNode(page, 'parlando-speak', 300, 100))
      await openNewService(page)
      await page.selectOption('#node-config-input-location', 'hosted')
    })

    const testOutcome = async (baseUrl: string, apiKey = keys.service) => {
      await page.fill('#node-config-input-baseUrl', baseUrl)
      await page.fill('#node-config-input-apiKey', apiKey)
      await page.click('#parlando-service-test')
      const result = page.locator(
        '#parlando-service-test-result[data-outcome]:not([data-outcome=""])',
      )
      await result.waitFor()
      return `${await result.getAttribute('data-outcome')}: ${await result.textContent()}`
    }

    it('has a connection test with a different message for each problem', async () => {
      expect(await testOutcome(local.baseUrl)).toMatch(/^well: .* \d+ ms$/)
      expect(await testOutcome(local.baseUrl, keys.wrong)).toMatch(
        /^key-rejected: .*rejects the key/,
      )
      expect(await testOutcome('http://127.0.0.1:9')).toMatch(/^not-reachable: Nothing responds/)
      await page.fill('#node-config-input-baseUrl', 'http://127.0.0.1:10')
      expect(await page.textContent('#parlando-service-test-result')).toBe('')
      const website = await startListServer([200, '<title>Welcome</title>'])
      expect(await testOutcome(website.baseUrl)).toMatch(/^not-this-service: A server responds/)
      const restricted = await startListServer([403, rejection], [404, '{"error":{"code":5}}'])
      expect(await testOutcome(restricted.baseUrl)).toMatch(/^cannot-list: .*type the id/)
    })

    it('shows the same error for an address as the flow', async () => {
      await page.fill('#node-config-input-baseUrl', 'http://speech.example')
      await page.keyboard.press('Tab')
      await page.locator('#node-config-input-baseUrl.input-error').hover()
      await page.getByText('sends the key and the text unencrypted').waitFor()
    })

    it('explains the valid range of a limit', async () => {
      await page.fill('#node-config-input-retries', '1.5')
      await page.keyboard.press('Tab')
      await page.locator('#node-config-input-retries.input-error').hover()
      await page.getByText('enter a whole number from 0 to 10').waitFor()
      await page.fill('#node-config-input-retries', '')
      await page.keyboard.press('Tab')
      expect(await page.locator('#node-config-input-retries.input-error').count()).toBe(0)
    })

    it('shows languages and clones in its list, and filters it', async () => {
      const server = await startListServer([200, JSON.stringify({ voices })])
      await page.fill('#node-config-input-baseUrl', server.baseUrl)
      await page.focus('#node-config-input-voice')
      await page.keyboard.press('ArrowDown')
      await listedChoices(page).nth(1).waitFor()
      expect(await listedChoices(page).allTextContents()).toEqual([
        'AdaBritish English',
        'My owncloneGerman (Germany)of mine',
      ])
      await page.keyboard.press('Tab')
      await page.selectOption('.parlando-choices select', 'German (Germany)')
      expect(await listedChoices(page).count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      expect(await page.inputValue('#node-config-input-voice')).toBe('u1__own')
      expect(await page.locator('.parlando-choices').count()).toBe(0)
    })

    it('keeps the saved voice and explains the missing list if the service is not reachable', async () => {
      await page.fill('#node-config-input-baseUrl', 'http://127.0.0.1:9')
      await closeService(page)
      await page.fill('#node-input-voice', 'typed-by-hand')
      await page.keyboard.press('Tab')
      const note = page.locator('#node-input-voice-note.parlando-problem')
      await note
        .filter({ hasText: /list of voices is not available: .*127\.0\.0\.1:9.*can still type/ })
        .waitFor()
      await page.getByRole('button', { name: 'Listen' }).click()
      await note.filter({ hasText: /^(?!The list of voices).*127\.0\.0\.1:9/ }).waitFor()
      expect(await page.inputValue('#node-input-voice')).toBe('typed-by-hand')
      await closeForm(page)
    })
  })

  it('preview the cleaned text', async () => {
    await openForm(page, 'speak')
    expect(await page.locator('#parlando-speak-sample').isVisible()).toBe(false)
    await page.check('#node-input-clean')
    await page.fill('#parlando-speak-sample', '# Dinner is **ready** 🍲')
    await page.getByText('Spoken: “Dinner is ready.”').waitFor()
    await closeForm(page, 'cancel')
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

  it.each(nodeTypes)('give every field a label: %s', async (type) => {
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

  // The Japanese and Chinese texts are much shorter.
  it.each(['en-US', 'de', 'es-ES', 'fr'])(
    'show all of every label and option in %s',
    async (language) => {
      const { page, close } = await editor.open({ language })
      const clipped: Record<string, string[]> = {}
      for (const [index, type] of nodeTypes.entries()) {
        await openForm(page, await addNode(page, type, 300, 100 + 60 * index))
        clipped[type] = await findClippedTexts(page)
        await closeForm(page, 'cancel')
      }
      await openForm(page, 'speak')
      await openService(page)
      clipped['parlando-service'] = await findClippedTexts(page)
      for (const [type, texts] of Object.entries(clipped)) expect(texts, type).toEqual([])
      await close()
    },
  )

  const themes = nodeRedPackage === 'node-red' ? ['light', 'dark'] : ['light']
  it.each(themes)('can be read in the %s theme', async (theme) => {
    const themed = await editor.open({ isDark: theme === 'dark' })
    await openForm(themed.page, 'speak')
    await themed.page.selectOption('#node-input-service', 'service')
    await themed.page.focus('#node-input-voice')
    await themed.page.keyboard.press('ArrowDown')
    await listedChoices(themed.page).nth(3).waitFor()
    await themed.page.keyboard.press('ArrowDown')
    for (const { text, ratio } of await measureContrast(
      themed.page,
      '.parlando-choices *, .parlando-note',
    ))
      expect(ratio, text).toBeGreaterThan(4.5)
    expect(themed.problems).toEqual([])
    await themed.close()
  })

  it('cause no console errors', () => {
    expect(opened.problems).toEqual([])
  })
})
