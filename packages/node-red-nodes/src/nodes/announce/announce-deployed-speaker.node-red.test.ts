import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import type { NodeAPI } from 'node-red'
import { describe, expect, it, vi } from 'vitest'
import { nodeCase } from './announce.test-case.ts'

let events: () => NodeAPI['events']
const { load, deploy: deployFlow } = useNodeRed({
  afterNodes(RED) {
    events = () => RED.events
  },
})

/** A speaker whose sounds the test plays. */
const kitchen = {
  id: 'kitchen',
  type: 'parlando-speaker',
  name: 'Kitchen',
  kind: 'another-node',
}
const louder = [{ ...kitchen, volume: '90' }]

/** A flow that announces where each message says, so that a deploy of the speaker restarts none of the other nodes. */
async function loadFlow(settings: object = {}) {
  const server = await startTestServer((response) => {
    response.end(audioLine(Buffer.alloc(24_000, 1)))
  })
  const others = [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
    {
      ...nodeCase.settings,
      id: 'announce',
      type: 'parlando-announce',
      z: 'tab',
      service: 'service',
      speaker: '',
      ...settings,
      outputs: 3,
      wires: [['said'], ['notSaid'], ['player']],
    },
    ...['said', 'notSaid', 'player', 'caught'].map((id) => ({ id, type: 'helper', z: 'tab' })),
    { id: 'catch', type: 'catch', z: 'tab', scope: ['announce'], wires: [['caught']] },
  ]
  const flow = await load([kitchen, ...others], { service: { apiKey: 'key' } })
  const sounds = () => flow.received('player').filter(({ stop }) => stop !== true)
  return {
    flow,
    announce: (message: object) =>
      flow.node('announce').receive({ speakers: 'kitchen', ...message }),
    deploy: (speakers: object[]) => deployFlow([...speakers, ...others], 'nodes'),
    /** Plays the sound that was handed out last. */
    play() {
      flow.node('announce').receive({ played: true, url: sounds().at(-1)!['url'] })
    },
    sounds,
  }
}

const untilAcknowledged = { priority: 'alarm', untilAcknowledged: true }

describe('when a deploy changes the speaker, but not the node', () => {
  it.each(['info', 'alarm'])(
    'an announcement of priority %s that sounds until acknowledged goes on',
    async (priority) => {
      const { flow, announce, deploy, play, sounds } = await loadFlow({
        ...untilAcknowledged,
        priority,
      })
      announce({ payload: 'Water in the cellar!' })
      await flow.waitFor('player', 1)
      await deploy(louder)
      await vi.waitFor(() => expect(sounds()).toHaveLength(2))
      play()
      announce({ acknowledge: true })
      expect(await flow.waitFor('said', 1)).toMatchObject([
        { payload: 'Water in the cellar!', announcement: { times: 1, acknowledged: true } },
      ])
      expect(flow.received('notSaid')).toEqual([])
      expect(flow.received('caught')).toEqual([])
    },
  )

  it('an announcement is said again from its start, and those that wait for it afterwards', async () => {
    const { flow, announce, deploy, play, sounds } = await loadFlow()
    announce({ payload: 'Dinner is ready.' })
    announce({ payload: 'It rains.' })
    await flow.waitFor('player', 1)
    await deploy(louder)
    for (const count of [2, 3]) {
      await vi.waitFor(() => expect(sounds()).toHaveLength(count))
      play()
    }
    const said = await flow.waitFor('said', 2)
    expect(said.map(({ payload }) => payload)).toEqual(['Dinner is ready.', 'It rains.'])
    expect(flow.received('notSaid')).toEqual([])
  })

  it('a text that arrives while the speaker is away waits for it', async () => {
    const { flow, announce, deploy, play, sounds } = await loadFlow()
    events().once('flows:stopped', () => announce({ payload: 'Dinner is ready.' }))
    await deploy(louder)
    await vi.waitFor(() => expect(sounds()).toHaveLength(1))
    play()
    await flow.waitFor('said', 1)
    expect(flow.received('caught')).toEqual([])
  })
})

describe('when a deploy removes the speaker', () => {
  it('what sounds there fails, and so does what waits for it', async () => {
    const { flow, announce, deploy } = await loadFlow(untilAcknowledged)
    announce({ payload: 'Water in the cellar!' })
    announce({ payload: 'Dinner is ready.', repeat: false })
    await flow.waitFor('player', 1)
    await deploy([])
    const caught = await flow.waitFor('caught', 2)
    expect(caught.map(({ error }) => (error as { code: string }).code).sort()).toEqual([
      'INVALID_INPUT',
      'SPEAKER_NOT_REACHABLE',
    ])
    await flow.waitFor('notSaid', 2)
  })
})
