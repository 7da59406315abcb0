import type { Page } from 'playwright-core'

interface PlacedNode {
  name?: string
  type: string
  x: number
  y: number
  /** Known once the node has been drawn. */
  w?: number
  h: number
}

declare const RED: {
  workspaces: { show(id: string): void }
  nodes: {
    eachWorkspace(visit: (workspace: { id: string }) => void): void
    filterNodes(filter: { z: string }): PlacedNode[]
  }
}

/** Shows the newest tab. @returns the pairs of nodes that overlap, including their ports. */
export async function findOverlaps(page: Page): Promise<string[]> {
  const drawn = await page.waitForFunction(() => {
    let newest = ''
    RED.nodes.eachWorkspace(({ id }) => {
      newest = id
    })
    RED.workspaces.show(newest)
    const nodes = RED.nodes.filterNodes({ z: newest })
    return nodes.length > 0 && nodes.every(({ w }) => w) && nodes
  })
  const nodes = await drawn.evaluate((all) =>
    (all as PlacedNode[]).map(({ name, type, x, y, w = 0, h }) => ({
      name: name || type,
      x,
      y,
      w,
      h,
    })),
  )
  const portWidth = 10
  return nodes.flatMap((one, index) =>
    nodes
      .slice(index + 1)
      .filter((other) => Math.abs(one.x - other.x) < (one.w + other.w) / 2 + portWidth)
      .filter((other) => Math.abs(one.y - other.y) < (one.h + other.h) / 2)
      .map((other) => `${one.name} and ${other.name}`),
  )
}
