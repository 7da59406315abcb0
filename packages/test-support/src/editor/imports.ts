import type { Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'

interface EditorNode {
  id: string
  type: string
}

declare const RED: {
  nodes: {
    eachNode(visit: (node: EditorNode) => void): void
    eachConfig(visit: (node: EditorNode) => void): void
    eachWorkspace(visit: (node: EditorNode) => void): void
  }
  actions: { invoke(action: string): void }
  view: {
    importNodes(flow: readonly object[], options: { generateIds: true; touchImport: true }): void
  }
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

/** Waits until an action, such as an import, has added this many tabs, nodes and config nodes. @returns their types. */
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
