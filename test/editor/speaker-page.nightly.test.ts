import { expectAccessible } from '@parlando/test-support/editor/accessibility'
import { needs } from '@parlando/test-support/programs/installed-programs'
import type { Page, WebSocketRoute } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserSoundPrograms, tap, useBrowserSound } from './browser-sound.ts'

describe('the page of a speaker', needs(...browserSoundPrograms), () => {
  const { nodeRed, browser, openSpeakerPage } = useBrowserSound()
  let page: Page
  beforeEach(async () => {
    page = await openSpeakerPage()
  })

  it('shows the name of the speaker as people have written it', async () => {
    const name = encodeURIComponent('<i>stairs<-i>-&-"hall"')
    await page.goto(`${nodeRed().baseUrl}/parlando/speaker/${name}`)
    expect(await page.title()).toBe('<i>Stairs</i> & "Hall"')
    expect(await page.locator('h1').textContent()).toBe('<i>Stairs</i> & "Hall"')
  })

  it('is listed as open, with a link to it', async () => {
    const list = await browser().newPage()
    await list.goto(`${nodeRed().baseUrl}/parlando`)
    const item = list.getByRole('listitem').filter({ hasText: 'Kitchen' })
    await item.getByText('Speaker · open now').waitFor()
    await item.getByRole('link').press('Enter')
    await list.waitForURL('**/parlando/speaker/kitchen')
  })

  it('lists the alarms that somebody must acknowledge, each with its buttons', async () => {
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    const acknowledged: string[] = []
    const postponed: string[] = []
    await page.route('**/later*', async (route) => {
      const id = new URL(route.request().url()).searchParams.get('id')!
      postponed.push(id)
      await route.fulfill({ status: 204 })
      const againAt = Date.now() + 600_000
      const changed = alarms.map((one) => (one.id === id ? { ...one, againAt } : one))
      socket!.send(JSON.stringify({ type: 'alarms', alarms: changed }))
    })
    await page.route('**/acknowledge*', async (route) => {
      const id = new URL(route.request().url()).searchParams.get('id')!
      acknowledged.push(id)
      await route.fulfill({ status: 204 })
      socket!.send(
        JSON.stringify({ type: 'alarms', alarms: alarms.filter((one) => one.id !== id) }),
      )
    })
    const alarms = ['cellar', 'attic'].map((id) => ({ id, text: `<b>Water</b> in the ${id}` }))
    await page.reload()
    await page.locator('.connected').waitFor()
    socket!.send(JSON.stringify({ type: 'alarms', alarms }))
    const list = page.getByRole('region', { name: 'Alarms' })
    await list
      .getByRole('button', { name: 'Later, in ten minutes: <b>Water</b> in the attic' })
      .press('Enter')
    await list.getByText('Again at').waitFor()
    expect(postponed).toEqual(['attic'])
    await list.getByRole('button', { name: 'Done: <b>Water</b> in the attic' }).press('Enter')
    await list.getByText('in the attic').waitFor({ state: 'hidden' })
    expect(acknowledged).toEqual(['attic'])
    await page.getByText('Done: <b>Water</b> in the attic').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(await focused()).toBe('Done: <b>Water</b> in the cellar')
  })

  it('keeps the focus on the button of a question that is shown again with what was heard', async () => {
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    await page.reload()
    await page.locator('.connected').waitFor()
    const question = { id: 'light', text: 'Shall I turn on the light?', buttons: ['yes', 'no'] }
    const send = (heard?: string) =>
      socket!.send(JSON.stringify({ type: 'question', question: { ...question, heard } }))
    send()
    await page.getByRole('button', { name: 'no', exact: true }).focus()
    send('maybe')
    await page.locator('#question-heard').getByText('“maybe”').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('no')
  })

  it('has no fault that axe-core finds, with an alarm, a question and a book; neither has the list of pages', async () => {
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    await page.reload()
    await tap(page)
    const reading = { id: 'book', text: 'It was night.', sentence: 1, sentences: 9, isPaused: true }
    for (const message of [
      { type: 'alarms', alarms: [{ id: 'cellar', text: 'Water in the cellar' }] },
      { type: 'question', question: { id: 'light', text: 'The light?', buttons: ['yes', 'no'] } },
      { type: 'reading', reading },
    ])
      socket!.send(JSON.stringify(message))
    await page.getByText('It was night.').first().waitFor()
    await expectAccessible(page, 'body')
    const list = await browser().newPage()
    await list.goto(`${nodeRed().baseUrl}/parlando`)
    await list.getByText('Kitchen').waitFor()
    await expectAccessible(list, 'body')
  })

  it('shows announcements as text, and the last ten with their time', async () => {
    const markup = `<img src="none" onerror="document.title = 'run'">`
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    await page.route('**/report*', (route) => route.fulfill({ json: { play: true } }))
    await page.route('**/audio*', (route) => route.fulfill({ body: Buffer.alloc(2) }))
    await page.reload()
    await tap(page)
    for (let id = 1; id <= 12; id++) {
      const offer = { type: 'offer', id: String(id), sampleRateHertz: 24_000, volume: 100 }
      socket!.send(JSON.stringify({ ...offer, text: `${id} ${markup}` }))
      await page.locator('#text', { hasText: `${id} <img` }).waitFor()
    }
    expect(await page.locator('#text').textContent()).toBe(`12 ${markup}`)
    const earlier = page.locator('#list li')
    const expected = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
    expect(await earlier.allTextContents()).toEqual(
      expected.map((index) => expect.stringMatching(`^\\d\\d:\\d\\d.{0,3}${index} <img src`)),
    )
    await page.reload()
    expect(await earlier.first().textContent()).toContain('12 <img src')
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).toBe('Kitchen')
  })

  it('marks each word while it is said, without a change of the document', async () => {
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    await page.route('**/report*', (route) => route.fulfill({ json: { play: true } }))
    await page.route('**/audio*', (route) => route.fulfill({ body: Buffer.alloc(48_000 * 4) }))
    await page.reload()
    await tap(page)
    const text = 'Dinner is ready in the kitchen, and it is getting cold. '.repeat(40).trim()
    const send = (message: object) => socket!.send(JSON.stringify({ id: 'dinner', ...message }))
    send({ type: 'offer', sampleRateHertz: 24_000, volume: 100, text })
    const times = [
      ['Dinner', 0],
      ['is', 0.7],
      ['ready', 1.4],
    ] as const
    send({ type: 'words', words: times.map(([text, startSeconds]) => ({ text, startSeconds })) })
    const marked = () =>
      page.evaluate(() => {
        const highlights = CSS.highlights as unknown as Map<string, Set<Range>>
        return Array.from(highlights.get('said') ?? [], String).join()
      })
    for (const [word] of times) await expect.poll(marked, { interval: 50 }).toBe(word)
    await page.evaluate(() => {
      const changes = new MutationObserver(() => document.body.classList.add('changed'))
      changes.observe(document.querySelector('#text')!, { childList: true, characterData: true })
    })
    const rest = text.split(' ').slice(3)
    const later = rest.map((text, index) => ({ text, startSeconds: 2 + index / rest.length }))
    send({ type: 'words', words: later })
    await expect.poll(marked, { interval: 50 }).toBe('cold.')
    const scrolled = () => page.locator('#text').evaluate(({ scrollTop }) => scrollTop)
    await expect.poll(scrolled).toBeGreaterThan(0)
    expect(await page.locator('.changed').count()).toBe(0)
    send({ type: 'stop' })
    await expect.poll(marked).toBe('')
  })

  it('shows where a text is that is read aloud, sends its buttons, and says if nobody receives them', async () => {
    let socket: WebSocketRoute | undefined
    await page.routeWebSocket('**/socket?*', (opened) => {
      socket = opened
    })
    const pressed: (string | null)[] = []
    await page.route('**/reading?*', (route) => {
      pressed.push(new URL(route.request().url()).searchParams.get('action'))
      return route.fulfill({ status: 204 })
    })
    await page.reload()
    await page.locator('.connected').waitFor()
    const show = (isPaused: boolean) => {
      const reading = { id: 'book', text: 'One came.', sentence: 1, sentences: 3, isPaused }
      socket!.send(JSON.stringify({ type: 'reading', reading }))
    }
    const view = page.getByRole('group', { name: 'Reading aloud' })
    const press = async (name: string, action: string) => {
      await view.getByRole('button', { name, exact: true }).press('Enter')
      await expect.poll(() => pressed.at(-1)).toBe(action)
    }
    show(false)
    await view.getByText('Sentence 1 of 3').waitFor()
    await press('Pause', 'pause')
    show(true)
    await view.getByText('Paused: Sentence 1 of 3').waitFor()
    await press('One sentence back', 'back')
    await press('One sentence on', 'forward')
    await press('Go on', 'resume')

    await page.route('**/token', (route) => route.abort())
    // A proxy whose Node-RED is away.
    await page.route('**/reading?*', (route) => route.fulfill({ status: 502 }))
    await view.getByRole('button', { name: 'Go on' }).press('Enter')
    await view.getByText('Not connected to Node-RED').waitFor()
    await page.locator('body:not(.connected)').waitFor()
    await page.unroute('**/token')
    await page.locator('.connected').waitFor()
    show(false)
    await view.getByText('Sentence 1 of 3').waitFor()
  })

  it('leaves room for seven more pages in the same browser', async () => {
    const context = await browser().newContext()
    // Browsers open at most six connections to one host; WebSockets do not count.
    for (let count = 0; count < 8; count++) {
      const next = await context.newPage()
      await next.goto(page.url())
      await next.locator('.connected').waitFor()
    }
    await context.close()
  })
})
