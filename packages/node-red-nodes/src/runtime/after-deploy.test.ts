import { EventEmitter } from 'node:events'
import type { Node, NodeAPI } from 'node-red'
import { expect, it, vi } from 'vitest'
import { AfterDeploy } from './after-deploy.ts'

const createNode = (id: string) => ({ id, error: vi.fn() })
const asNode = (node: object) => node as unknown as Node

function open() {
  const events = new EventEmitter()
  const afterDeploy = new AfterDeploy({ events } as unknown as Pick<NodeAPI, 'events'>)
  return { afterDeploy, start: () => events.emit('flows:started') }
}

it('what a deploy has cut is passed on by the node in the same place, once, before it starts its work', () => {
  const { afterDeploy, start } = open()
  const [old, again] = [createNode('a'), createNode('a')]
  const calls: unknown[] = []
  afterDeploy.add(asNode(old), (node) => calls.push(node))
  afterDeploy.follow(asNode(again), () => calls.push('started'))
  start()
  start()
  expect(calls).toEqual([again, 'started'])
})

it('nothing is passed on for a node that was removed', () => {
  const { afterDeploy, start } = open()
  const passOn = vi.fn()
  const [old, again] = [createNode('a'), createNode('a')]
  afterDeploy.add(asNode(old), passOn)
  afterDeploy.leave(asNode(old), true)
  afterDeploy.follow(asNode(again))
  start()
  expect(passOn).not.toHaveBeenCalled()
})

it('a message that cannot be sent is an error of its node, and neither ends the deploy nor keeps the others back', () => {
  const { afterDeploy, start } = open()
  const nodes = ['a', 'b'].map(createNode)
  const passed = vi.fn()
  for (const node of nodes) afterDeploy.follow(asNode(node), passed)
  afterDeploy.add(asNode(nodes[0]!), () => {
    // Node-RED reads the properties of a message to copy it.
    throw new Error('a property cannot be read')
  })
  for (const node of nodes) afterDeploy.add(asNode(node), passed)
  start()
  expect(passed).toHaveBeenCalledTimes(4)
  expect(String(nodes[0]!.error.mock.calls[0]![0])).toContain('a property cannot be read')
  expect(nodes[1]!.error).not.toHaveBeenCalled()
})
