import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleFiles, readExample } from '../support/example.ts'
import { type NodeRedProcess, startNodeRed } from '../support/node-red-process.ts'
import { findProgram } from '../support/programs.ts'

const executablePath = findProgram('chromium', 'no example is imported into the editor')

/** What the editor knows of a node. */
interface EditorNode {
  type: string
  name: string
  valid: boolean
  validationErrors?: string[]
}

interface EditorWindow {
  RED: {
    view: { importNodes(nodes: object[]): void }
    nodes: {
      eachNode(look: (node: EditorNode) => void): void
      eachConfig(look: (node: EditorNode) => void): void
    }
  }
}

describe.skipIf(!executablePath)('the editor', () => {
  let nodeRed: NodeRedProcess
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    nodeRed = await startNodeRed([])
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
    page = await browser.newPage()
    await page.goto(nodeRed.baseUrl)
    await page.locator('.red-ui-palette-node[data-palette-type="parlando-speak"]').waitFor()
    await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
  })
  afterAll(async () => {
    await browser?.close()
    await nodeRed?.close()
  })

  it('imports all examples beside each other, knows every node, and takes all for configured', async () => {
    const examples = exampleFiles.map(readExample)
    const nodes = await page.evaluate((flows) => {
      const { RED } = window as unknown as EditorWindow
      for (const flow of flows) RED.view.importNodes(flow)
      const found: EditorNode[] = []
      const look = ({ type, name, valid, validationErrors }: EditorNode) =>
        void found.push({ type, name, valid, validationErrors })
      RED.nodes.eachNode(look)
      RED.nodes.eachConfig(look)
      return found
    }, examples)
    expect(nodes.filter(({ valid }) => !valid)).toEqual([])
    const expected = examples.flat().filter(({ type }) => type !== 'tab')
    expect(nodes.map(({ type }) => type).sort()).toEqual(expected.map(({ type }) => type).sort())
  })
})
