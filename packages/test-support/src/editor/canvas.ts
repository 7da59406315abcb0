import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

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
  }
  actions: { invoke(action: string): void }
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
  const find = (type: string) => RED.nodes.filterNodes({ type }).at(-1)?.id
  await page.waitForFunction(find, type)
  return (await page.evaluate(find, type))!
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
