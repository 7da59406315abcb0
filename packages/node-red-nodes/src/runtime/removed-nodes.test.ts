import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { followRemovals, onRemoval, type Removal } from './removed-nodes.ts'

/** A Node-RED that stops flows for a deploy. */
function open() {
  const events = new EventEmitter()
  const latest = followRemovals({ events })
  const listener = vi.fn<(removal: Removal) => void>()
  onRemoval({ events }, listener)
  const stop = (ids: string[], removed: string[]) => {
    const stopping = { config: { flows: ids.map((id) => ({ id })) }, diff: { removed } }
    events.emit('flows:stopping', stopping)
    const atClose = latest()
    expect(listener).not.toHaveBeenCalled()
    events.emit('flows:stopped', stopping)
    return atClose
  }
  return { events, latest, listener, stop }
}

it('a node that was disabled is removed, but not deleted', () => {
  const { isRemoved, isDeleted, deletedIds } = open().stop(['tab', 'a', 'b'], ['a'])
  expect([isRemoved('a'), isDeleted('a'), isRemoved('b')]).toEqual([true, false, false])
  expect(deletedIds).toEqual([])
})

it('a node that is no longer in the flows is deleted', () => {
  const { stop, listener } = open()
  const removal = stop(['tab', 'b'], ['a'])
  expect([removal.isRemoved('a'), removal.isDeleted('a')]).toEqual([true, true])
  expect(removal.deletedIds).toEqual(['a'])
  expect(listener).toHaveBeenCalledExactlyOnceWith(removal)
})

it.each([
  ['the instance is deleted', ['sub', 'node'], ['instance'], true, true],
  ['the instance is disabled', ['instance', 'sub', 'node'], ['instance'], true, false],
  ['the node is deleted from the subflow', ['instance', 'sub'], ['node'], true, true],
  ['another node is deleted', ['instance', 'sub', 'node'], ['other'], false, false],
])('a node of a subflow follows its instance: %s', (_what, ids, removed, isRemoved, isDeleted) => {
  for (const nodeId of ['instance-node', 'instance-sub-node']) {
    const removal = open().stop(ids, removed)
    expect([removal.isRemoved(nodeId), removal.isDeleted(nodeId)]).toEqual([isRemoved, isDeleted])
  }
})

it('a node whose id contains that of a deleted one stays', () => {
  const { isRemoved, isDeleted } = open().stop(['kitchen-lamp'], ['lamp', 'kitchen'])
  expect([isRemoved('kitchen-lamp'), isDeleted('kitchen-lamp')]).toEqual([false, false])
})

it('a deploy goes on when the id of a node is not a string', () => {
  const id = { apiKey: 7 } as unknown as string
  const { isRemoved, isDeleted } = open().stop(['tab'], ['a'])
  expect([isRemoved(id), isDeleted(id)]).toEqual([false, false])
})

it.each([undefined, { config: null }, { config: { flows: [] }, diff: { removed: [] } }])(
  'nothing is removed when Node-RED ends, or opens another project: %j',
  (stopping) => {
    const { events, latest, listener } = open()
    events.emit('flows:stopping', stopping)
    expect([latest().isRemoved('a'), latest().isDeleted('a')]).toEqual([false, false])
    events.emit('flows:stopped', stopping)
    expect(listener).not.toHaveBeenCalled()
  },
)

it('all nodes of a Node-RED share one listener', () => {
  const { events } = open()
  for (let index = 0; index < 20; index++) followRemovals({ events })
  expect(events.listenerCount('flows:stopping')).toBe(1)
})
