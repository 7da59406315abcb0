import type { Browser, ConsoleMessage, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type NodeRedProcess, startNodeRed } from '../node-red/process.ts'
import { saveRecord } from '../secrets/records.ts'
import { startBrowser } from './browser.ts'

export interface EditorPage {
  page: Page
  /** Exceptions and console errors, except messages about failed requests. */
  problems: string[]
  /** The duration in seconds of each audio that the page played. */
  playedSeconds(): Promise<number[]>
  close(): Promise<void>
}

export interface EditorOptions {
  isDark?: boolean
  /** Default: `en-US`. */
  language?: string
  /** Default: 1280 pixels. */
  width?: number
  /** Default: 900 pixels. */
  height?: number
  /** Whether the page may use the microphone. Default: no. */
  hasMicrophone?: boolean
}

/** Opens the editor of a Node-RED in a new page. */
async function openEditor(
  browser: Browser,
  baseUrl: string,
  options: EditorOptions = {},
): Promise<EditorPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    permissions: options.hasMicrophone ? ['microphone'] : [],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', (error) => {
    if (!isFromNodeRed(error)) problems.push(error.stack ?? String(error))
  })
  page.on('response', async (response) => {
    const isForForm = new URL(response.url()).pathname.startsWith('/parlando/')
    // The response is gone if the page has navigated away.
    if (isForForm) saveRecord('admin responses', await response.text().catch(() => ''))
  })
  page.on('console', (message) => {
    if (isProblem(message)) problems.push(message.text())
  })
  await page.addInitScript(() => {
    const playedSeconds: number[] = []
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener('timeupdate', () => playedSeconds.push(this.duration), { once: true })
      return play.call(this)
    }
    Object.assign(window, { playedSeconds })
  })
  if (options.isDark) {
    await page.addInitScript(() => localStorage.setItem('view-dark-theme', 'dark'))
  }
  await page.addInitScript(
    (language) => localStorage.setItem('editor-language', language),
    options.language ?? 'en-US',
  )
  await page.goto(baseUrl)
  await page.locator('.red-ui-palette-node[data-palette-type="parlando-speak"]').waitFor()
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
  return {
    page,
    problems,
    playedSeconds: () =>
      page.evaluate(() => (window as unknown as { playedSeconds: number[] }).playedSeconds),
    close: () => context.close(),
  }
}

function isProblem(message: ConsoleMessage): boolean {
  return message.type() === 'error' && !message.text().startsWith('Failed to load resource')
}

/** Whether only scripts of Node-RED were running. On a busy machine, its sidebars use parts that they have not made yet. */
function isFromNodeRed({ stack = '' }: Error): boolean {
  const frames = stack.split('\n').filter((line) => line.includes('://'))
  return frames.length > 0 && frames.every((frame) => /\/(?:red|vendor)\/[\w./-]+\.js/.test(frame))
}

/**
 * One Node-RED and one browser for all tests of a file.
 * @param launch starts the browser. Default: one without a microphone.
 */
export function useEditor(
  flow: object[] = [{ id: 'tab', type: 'tab', label: 'Flow' }],
  launch: () => Promise<Browser> = startBrowser,
) {
  let nodeRed: NodeRedProcess
  let browser: Browser
  beforeAll(async () => {
    nodeRed = await startNodeRed(flow)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await nodeRed?.close()
  })
  return {
    nodeRed: () => nodeRed,
    open: (options?: EditorOptions) => openEditor(browser, nodeRed.baseUrl, options),
  }
}
