import { serviceNodes } from '@parlando/test-support/node-red/node-cases'
import { expect, it } from 'vitest'
import { systemFlow } from './flow.ts'
import { nodeIds } from './nodes.ts'

const flow = systemFlow({
  hostedUrl: 'http://127.0.0.1:1',
  steadyUrl: 'http://127.0.0.1:2',
  recording: 'recording.wav',
  mpd: '127.0.0.1:3',
}) as { id: string; type: string }[]
const serviceTypes = serviceNodes.map(({ type }) => type)
const types = [...serviceTypes, 'parlando-ask', 'parlando-converse', 'parlando-remind']
const nodes = flow.filter(({ type }) => types.includes(type))

it.each(types)('the soak runs the node %s', (type) => {
  const advice = `Add ${type} to a tab in test/soak/flow and to roles in test/soak/flow/nodes.ts, and a message for it to actions in test/soak/load/actions.ts.`
  const found = nodes.map((node) => node.type)
  expect(found, advice).toContain(type)
})

it('each node of the soak has a role, and each role has a node', () => {
  const advice =
    'The ids in test/soak/flow and the names in roles, in test/soak/flow/nodes.ts, differ.'
  expect(nodes.map(({ id }) => id).sort(), advice).toEqual([...nodeIds].sort())
})
