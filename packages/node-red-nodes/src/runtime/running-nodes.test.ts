import { EventEmitter } from 'node:events'
import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { findRunning, noteRunning } from './running-nodes.ts'

const type = 'parlando-remind'
const flows = ['subflow timers', 'kitchen', 'second', 'first', 'bath'].map((id) => ({ id }))
const eachNode = (call: (node: object) => void) => {
  for (const node of flows) call(node)
}
/** The nodes whose constructors have returned, by their ids. */
const constructed = new Map<string, object>()
const getNode = (id: string) => constructed.get(id) ?? null
const RED = { nodes: { eachNode, getNode } } as unknown as NodeAPI

function construct(id: string, facts: { z?: string; _alias?: string; type?: string } = {}) {
  const node = Object.assign(new EventEmitter(), { id, ...facts })
  noteRunning(node as never, { type, ...facts } as never)
  return node
}
function start(...parameters: Parameters<typeof construct>) {
  const node = construct(...parameters)
  constructed.set(node.id, node)
  return {
    close() {
      constructed.delete(node.id)
      node.emit('close')
    },
  }
}
const found = () => findRunning(RED, (config) => config.type === type).map(({ node }) => node.id)

it('nodes that run are found in the order of the flows, those of a subflow in that of its instances', () => {
  const started = ['kitchen', 'bath', 'new'].map((id) => start(id))
  for (const z of ['first', 'second']) {
    started.push(start(`${z}-subflow timers`, { z, _alias: 'subflow timers' }))
  }
  started.push(start('other', { type: 'parlando-ask' }))
  const all = ['second-subflow timers', 'first-subflow timers', 'kitchen', 'bath', 'new']
  expect(found()).toEqual(all)

  const [kitchen] = started
  kitchen!.close()
  expect(found()).toEqual(all.filter((id) => id !== 'kitchen'))
  started.push(start('kitchen'))
  expect(found()).toEqual(all)
  for (const { close } of started) close()
  expect(found()).toEqual([])
})

it('neither a node whose constructor has failed nor one of another Node-RED in this process is found', () => {
  const failed = construct('kitchen')
  expect(found()).toEqual([])
  const { close } = start('kitchen')
  expect(found()).toEqual(['kitchen'])
  close()
  failed.emit('close')
})
