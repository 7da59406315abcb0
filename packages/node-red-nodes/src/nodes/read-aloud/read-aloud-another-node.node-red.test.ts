import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { nodeCase } from './read-aloud.test-case.ts'

const { load } = useNodeRed()

it('a text that is stopped on a speaker of another node stops its player with a message without the report', async () => {
  const { baseUrl } = await startTestServer(
    (response) => void response.end(audioLine(Buffer.alloc(480, 1))),
  )
  const flow = await load(
    [
      { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
      { id: 'kitchen', type: 'parlando-speaker', name: 'Kitchen', kind: 'another-node' },
      {
        ...nodeCase.settings,
        id: 'read',
        type: 'parlando-read-aloud',
        z: 'tab',
        service: 'service',
        speaker: 'kitchen',
        outputs: 3,
        wires: [['read-to-end'], ['not-read'], ['player']],
      },
      ...['read-to-end', 'not-read', 'player'].map((id) => ({ id, type: 'helper', z: 'tab' })),
    ],
    { service: { apiKey: 'key' } },
  )
  flow.node('read').receive({ payload: 'It rains. It snows.', mine: 1 })
  await flow.waitFor('player', 1)
  flow.node('read').receive({ stop: true })
  const [, stop] = await flow.waitFor('player', 2)
  expect(stop).toMatchObject({ stop: true, mine: 1 })
  expect(stop).not.toHaveProperty('reading')
  expect(await flow.waitFor('not-read', 1)).toMatchObject([{ reading: { reason: 'stopped' } }])
})
