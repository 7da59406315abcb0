import type { ServerResponse } from 'node:http'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode } from '@parlando/test-support/editor/canvas'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  listedChoices,
  openForm,
  openMore,
  openNewService,
} from '@parlando/test-support/editor/forms'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

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

describeInBrowser('the form of a hosted service that is not deployed', () => {
  const editor = useEditor()
  let local: LocalService
  let opened: EditorPage
  let page: Page
  beforeAll(async () => {
    local = await startLocalService({ apiKey: keys.service, warmUp: false })
    opened = await editor.open()
    page = opened.page
    await openForm(page, await addNode(page, 'parlando-speak', 300, 100))
    await openNewService(page)
    await page.selectOption('#node-config-input-location', 'hosted')
  })
  afterAll(() => local.close())

  /** Holds the requests of the form whose body is meant, until `release` is called. */
  const holdRequests = async (isMeant: (body: string) => boolean) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/parlando/voices', async (route) => {
      if (isMeant(route.request().postData() ?? '')) await released
      await route.continue()
    })
    onTestFinished(() => page.unrouteAll())
    return { release }
  }
  const isAbout = (request: Request, baseUrl: string) =>
    request.url().endsWith('/parlando/voices') && request.postData()?.includes(baseUrl) === true

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
    expect(await testOutcome(local.baseUrl, keys.wrong)).toMatch(/^key-rejected: .*rejects the key/)
    expect(await testOutcome('http://127.0.0.1:9')).toMatch(/^not-reachable: Nothing responds/)
    await page.fill('#node-config-input-baseUrl', 'http://127.0.0.1:10')
    expect(await page.textContent('#parlando-service-test-result')).toBe('')
    const website = await startListServer([200, '<title>Welcome</title>'])
    expect(await testOutcome(website.baseUrl)).toMatch(/^not-this-service: A server responds/)
    const restricted = await startListServer([403, rejection], [404, '{"error":{"code":5}}'])
    expect(await testOutcome(restricted.baseUrl)).toMatch(/^cannot-list: .*type the id/)
  })

  it('completes an address that is typed without http://', async () => {
    const address = page.locator('#node-config-input-baseUrl')
    await address.fill(new URL(local.baseUrl).host)
    expect(await page.locator('#node-config-input-baseUrl.input-error').count()).toBe(0)
    await address.press('Tab')
    expect(await address.inputValue()).toBe(local.baseUrl)
    await address.fill('speech.example')
    await address.press('Tab')
    expect(await address.inputValue()).toBe('https://speech.example')
  })

  it('shows the same error for an address as the flow', async () => {
    await page.fill('#node-config-input-baseUrl', 'http://speech.example')
    await page.keyboard.press('Tab')
    await page.locator('#node-config-input-baseUrl.input-error').hover()
    await page.getByText('sends the key and the text unencrypted').waitFor()
  })

  it('explains the valid range of a limit', async () => {
    await openMore(page)
    await page.fill('#node-config-input-retries', '1.5')
    await page.keyboard.press('Tab')
    await page.locator('#node-config-input-retries.input-error').hover()
    await page.getByText('enter a whole number from 0 to 10').waitFor()
    await page.fill('#node-config-input-retries', '')
    await page.keyboard.press('Tab')
    expect(await page.locator('#node-config-input-retries.input-error').count()).toBe(0)
  })

  it('shows languages in its list, own clones first, and filters it', async () => {
    const server = await startListServer([200, JSON.stringify({ voices })])
    await page.fill('#node-config-input-baseUrl', server.baseUrl)
    await page.focus('#node-config-input-voice')
    await page.keyboard.press('ArrowDown')
    await listedChoices(page).nth(1).waitFor()
    expect(await listedChoices(page).allTextContents()).toEqual([
      'My owncloneGerman (Germany)of mine',
      'AdaBritish English',
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

  it('does not show a list that arrives after another address was entered', async () => {
    const slow = await startListServer([200, JSON.stringify({ voices: [voices[0]] })])
    const quick = await startListServer([200, JSON.stringify({ voices: [voices[1]] })])
    const { release } = await holdRequests((body) => body.includes(slow.baseUrl))
    await page.fill('#node-config-input-baseUrl', slow.baseUrl)
    const late = page.waitForResponse((response) => isAbout(response.request(), slow.baseUrl))
    await page.focus('#node-config-input-voice')
    await page.keyboard.press('ArrowDown')
    await page.fill('#node-config-input-baseUrl', quick.baseUrl)
    await page.fill('#node-config-input-voice', '')
    await page.keyboard.press('ArrowDown')
    await listedChoices(page).getByText('My own').waitFor()
    release()
    await late
    await page.keyboard.type('o')
    await listedChoices(page).getByText('My own').waitFor()
    await page.keyboard.press('Escape')
  })

  it('requests no sample of a voice once Stop is pressed', async () => {
    const server = await startListServer([200, JSON.stringify({ voices })])
    const { release } = await holdRequests((body) => body.includes(server.baseUrl))
    const listened: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/parlando/listen')) listened.push(request.url())
    })
    await page.fill('#node-config-input-voice', 'ada')
    await page.fill('#node-config-input-baseUrl', server.baseUrl)
    const listed = page.waitForResponse((response) => isAbout(response.request(), server.baseUrl))
    await page.locator('.parlando-listen').last().click()
    await page.locator('.parlando-listen').last().filter({ hasText: 'Stop' }).click()
    release()
    await listed
    await page.locator('.parlando-listen').last().filter({ hasText: 'Listen' }).waitFor()
    expect(listened).toEqual([])
  })

  it('keeps the saved voice and explains the missing list if the service is not reachable', async () => {
    await page.fill('#node-config-input-baseUrl', 'http://127.0.0.1:9')
    await closeService(page)
    await page.fill('#node-input-voice', 'typed-by-hand')
    await page.keyboard.press('Tab')
    const note = page.locator('#node-input-voice-note.parlando-problem')
    await note
      .filter({ hasText: /list of voices is not available.*can still type.*127\.0\.0\.1:9/ })
      .waitFor()
    await page.getByRole('button', { name: 'Listen' }).click()
    await note.filter({ hasText: /^(?!The list of voices).*127\.0\.0\.1:9/ }).waitFor()
    expect(await page.inputValue('#node-input-voice')).toBe('typed-by-hand')
    await closeForm(page)
  })

  it('causes no console errors', () => {
    expect(opened.problems).toEqual([])
  })
})
