import { EventEmitter } from 'node:events'
import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { findRunning, noteRunning } from './running-nodes.ts'

const type = 'parlando-remind'
const flows = ['subflow timers', 'kitchen', 'bath'].map((id) => ({ id }))
const eachNode = (call: (node: object) => void) => {
  for (const node of flows) call(node)
}
const RED = { nodes: { eachNode } } as unknown as NodeAPI

function start(id: string, facts: { _alias?: string; type?: string } = {}) {
  const node = Object.assign(new EventEmitter(), { id, ...facts })
  noteRunning(node as never, { type, ...facts } as never)
  return { close: () => node.emit('close') }
}
const found = () => findRunning(RED, (config) => config.type === type).map(({ node }) => node.id)

it('nodes that run are found in the order of the flows, those of a subflow in each instance', () => {
  const started = ['kitchen', 'bath', 'new'].map((id) => start(id))
  for (const instance of ['second', 'first']) {
    started.push(start(`${instance}-subflow timers`, { _alias: 'subflow timers' }))
  }
  started.push(start('other', { type: 'parlando-ask' }))
  const all = ['first-subflow timers', 'second-subflow timers', 'kitchen', 'bath', 'new']
  expect(found()).toEqual(all)

  const [kitchen] = started
  kitchen!.close()
  expect(found()).toEqual(all.filter((id) => id !== 'kitchen'))
  started.push(start('kitchen'))
  expect(found()).toEqual(all)
  for (const { close } of started) close()
  expect(found()).toEqual([])
})
