import type { Node, NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { createStatus } from './status.ts'

/** Texts as Node-RED would look them up. */
const RED = { _: (key: string, values: object) => `${key} ${JSON.stringify(values)}` } as NodeAPI

it('says how many wait', () => {
  const shown: { text?: string }[] = []
  const node = { status: (status: object) => void shown.push(status) } as unknown as Node
  createStatus(RED, node, { waiting: 2, running: 1 }).started()
  expect(shown.at(-1)?.text).toMatch(/status\.waiting \{"count":2\}$/)
})
