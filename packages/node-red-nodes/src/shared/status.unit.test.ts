import { RED } from '@parlando/test-support/node-red/fake-red'
import type { Node } from 'node-red'
import { expect, it } from 'vitest'
import { createStatus } from './status.ts'

it('shows the number of waiting messages', () => {
  const shown: { text?: string }[] = []
  const node = { status: (status: object) => void shown.push(status) } as unknown as Node
  createStatus(RED, node, { waiting: 2, running: 1 }).started()
  expect(shown.at(-1)?.text).toMatch(/status\.waiting \{"count":2\}$/)
})
