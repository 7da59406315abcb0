import {
  type Browser,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { type NodeRedProcess, startNodeRed } from '../node-red/process.ts'
import { findProgram, needs } from '../programs/installed-programs.ts'
import { saveRecord } from '../secrets/records.ts'

/** Without windows of its own, a browser takes three quarters of the processor time. */
const executablePath = findProgram('chromium-headless-shell') ?? findProgram('chromium')

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

function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--mute-audio'],
  })
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

/** Drags a node from the palette to the canvas. @returns its id. */
export async function addNode(page: Page, type: string, x: number, y: number): Promise<string> {
  const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
  await entry.scrollIntoViewIfNeeded()
  await entry.hover()
  await page.mouse.down()
  const chart = (await page.locator('#red-ui-workspace-chart').boundingBox())!
  await page.mouse.move(chart.x + x, chart.y + y, { steps: 15 })
  await page.mouse.up()
  const find = (type: string) => {
    const { RED } = window as unknown as {
      RED: { nodes: { filterNodes(filter: object): { id: string }[] } }
    }
    return RED.nodes.filterNodes({ type }).at(-1)?.id
  }
  await page.waitForFunction(find, type)
  return (await page.evaluate(find, type))!
}

export async function openForm(page: Page, id: string): Promise<void> {
  // Not by a double click: a busy machine can make two clicks of it.
  await page.locator(`[id="${id}"]`).click()
  await page.keyboard.press('Enter')
  await waitForForm(page, '#node-dialog-ok')
}

/** Opens the fields below *More* in the open form. */
export async function openMore(page: Page): Promise<void> {
  await page.locator('.red-ui-tray').last().locator('.parlando-more:not([open]) > summary').click()
}

/** Opens the form of a new service from the form of a node. */
export async function openNewService(page: Page): Promise<void> {
  await page.click('#node-input-btn-service-add')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Opens the form of a new speaker from the form of a node. */
export async function openNewSpeaker(page: Page): Promise<void> {
  await page.click('#node-input-btn-speaker-add')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Opens the form of the service that is selected in the form of a node. */
export async function openService(page: Page): Promise<void> {
  await page.click('#node-input-btn-service-edit')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Waits until the form with this button is open: its last step is to take the focus. */
async function waitForForm(page: Page, button: string): Promise<void> {
  await page.locator(button).waitFor()
  await page.waitForFunction((button) => {
    const form = document.querySelector(button)?.closest('.red-ui-tray')
    return form?.contains(document.activeElement)
  }, button)
}

/** Closes the form of a service with the given button and waits for the end of the animation. */
export async function closeService(page: Page, button: 'ok' | 'cancel' = 'ok'): Promise<void> {
  await page.click(`#node-config-dialog-${button}`)
  await page.locator('#node-config-dialog-ok').waitFor({ state: 'detached' })
}

/** Closes the form of a node with the given button and waits for the end of the animation. */
export async function closeForm(page: Page, button: 'ok' | 'cancel' = 'ok'): Promise<void> {
  await page.click(`#node-dialog-${button}`)
  await page.locator('#node-dialog-ok').waitFor({ state: 'detached' })
}

/**
 * One Node-RED and one browser for all tests of a file.
 * @param launch starts the browser. Default: one without a microphone.
 */
export function useEditor(
  flow: object[] = [{ id: 'tab', type: 'tab', label: 'Flow' }],
  launch: () => Promise<Browser> = startChromium,
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

/** `describe`, for tests that need a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(name, needs('chromium'), tests)
}

interface EditorNode {
  id: string
  type: string
  valid?: boolean
}

declare const RED: {
  nodes: {
    filterNodes(filter: object): EditorNode[]
    eachNode(visit: (node: EditorNode) => void): void
    eachConfig(visit: (node: EditorNode) => void): void
    eachWorkspace(visit: (node: EditorNode) => void): void
  }
  actions: { invoke(action: string): void }
  view: {
    importNodes(flow: readonly object[], options: { generateIds: true; touchImport: true }): void
  }
}

/** The types of the nodes that the editor marks as invalid. */
export function invalidNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const invalid: string[] = []
    const visit = ({ valid, type }: EditorNode) => {
      if (valid === false) invalid.push(type)
    }
    RED.nodes.eachNode(visit)
    RED.nodes.eachConfig(visit)
    return invalid
  })
}

/** Draws a wire from the output of one node to the input of another. */
export async function connectNodes(page: Page, from: string, to: string): Promise<void> {
  await page.locator(`[id="${from}"] .red-ui-flow-port-output`).hover()
  await page.mouse.down()
  const port = (await page.locator(`[id="${to}"] .red-ui-flow-port-input`).boundingBox())!
  await page.mouse.move(port.x + port.width / 2, port.y + port.height / 2, { steps: 15 })
  await page.mouse.up()
}

export async function deploy(page: Page): Promise<void> {
  const done = page.waitForResponse(
    (response) => response.url().endsWith('/flows') && response.request().method() === 'POST',
  )
  await page.click('#red-ui-header-button-deploy')
  expect((await done).ok()).toBe(true)
}

/** The line of the debug sidebar that contains this text. */
export async function debugMessage(page: Page, text: RegExp): Promise<Locator> {
  await page.evaluate(() => RED.actions.invoke('core:show-debug-tab'))
  return page.locator('.red-ui-debug-msg', { hasText: text })
}

/** Opens the dialog of the examples. @returns the list of those of this package. */
async function openExamples(page: Page): Promise<Locator> {
  await page.evaluate(() => RED.actions.invoke('core:show-examples-import-dialog'))
  const dialog = page.locator('#red-ui-clipboard-dialog-import-tab-examples')
  await dialog.getByText('@parlando/node-red', { exact: true }).click()
  return dialog
}

/**
 * Imports an example from the menu, which lists these, and waits for this number of nodes, including the tab and config
 * nodes.
 * @returns their types.
 */
export function importFromMenu(
  page: Page,
  name: string,
  { listed, count }: { listed: readonly string[]; count: number },
): Promise<string[]> {
  return waitForNodes(page, count, async () => {
    const dialog = await openExamples(page)
    for (const other of listed) await dialog.getByText(other, { exact: true }).waitFor()
    const chosen = page.locator('#red-ui-clipboard-dialog-ok:not([disabled])')
    // While the list unfolds, a click can miss it or be ignored.
    await vi.waitFor(
      async () => {
        await dialog.getByText(name, { exact: true }).click()
        await chosen.waitFor({ timeout: 1000 })
      },
      { timeout: 60_000 },
    )
    await chosen.click()
    await dialog.waitFor({ state: 'hidden' })
  })
}

/** Imports a flow as the dialog does, in a fraction of the time. @returns the types of its nodes in the editor. */
export function importFlow(page: Page, flow: readonly object[]): Promise<string[]> {
  return waitForNodes(page, flow.length, () =>
    page.evaluate(
      (nodes) => RED.view.importNodes(nodes, { generateIds: true, touchImport: true }),
      flow,
    ),
  )
}

/** Waits until an action, such as an import, has added so many tabs, nodes and config nodes. @returns their types. */
async function waitForNodes(
  page: Page,
  count: number,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const allNodes = () => {
    const all: { id: string; type: string }[] = []
    const visit = ({ id, type }: EditorNode) => void all.push({ id, type })
    RED.nodes.eachWorkspace(visit)
    RED.nodes.eachNode(visit)
    RED.nodes.eachConfig(visit)
    return all
  }
  const idsBefore = (await page.evaluate(allNodes)).map(({ id }) => id)
  await act()
  const newTypes = async () =>
    (await page.evaluate(allNodes))
      .filter(({ id }) => !idsBefore.includes(id))
      .map(({ type }) => type)
  // The dialog closes before the example is loaded.
  await expect.poll(newTypes, { timeout: 60_000 }).toHaveLength(count)
  return newTypes()
}

/** The options of the open list. */
export function listedChoices(page: Page): Locator {
  return page.locator('.parlando-choices [role=option]')
}
