import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

declare const window: {
  axe: { run(selector: string): Promise<{ violations: { id: string; nodes: object[] }[] }> }
}

/** Expects that axe-core finds nothing in a part of the page, neither serious nor minor. */
export async function expectAccessible(page: Page, selector: string): Promise<void> {
  // Our pages allow no element with a script.
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async (selector) => {
    const { violations } = await window.axe.run(selector)
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map((node) => JSON.stringify(node)),
    }))
  }, selector)
  expect(violations).toEqual([])
}
