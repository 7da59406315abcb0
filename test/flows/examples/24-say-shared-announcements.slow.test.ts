import { nodeNamed, readExample, useExample } from '@parlando/test-support/node-red/example'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startMosquitto } from '@parlando/test-support/programs/mosquitto'
import { afterAll, describe, expect, it, vi } from 'vitest'

const broker = await startMosquitto()
const place = { x: 0, y: 0, z: 'parlando-24-tab' }

describe('a real broker', needs('mosquitto'), () => {
  const example = useExample('24 - Say shared announcements.json', (flow) => {
    const announce = nodeNamed(flow, 'announce')
    Object.assign(announce, { speaker: 'room', outputs: 3 })
    announce.wires!.push(['player'])
    flow.push(
      ...readExample('23 - Share announcements.json'),
      { id: 'room', type: 'parlando-speaker', kind: 'another-node', name: 'Room' },
      {
        ...place,
        id: 'player',
        type: 'function',
        func: 'return { played: true, url: msg.payload }',
        outputs: 1,
        wires: [[announce.id]],
      },
    )
    for (const node of flow.filter(({ type }) => type === 'mqtt-broker')) {
      expect(node).toMatchObject({ broker: 'localhost', port: '1883' })
      Object.assign(node, { broker: '127.0.0.1', port: String(broker?.port) })
    }
  })
  afterAll(() => broker?.close())

  it('brings a text to a worker, and its response back', async () => {
    const connections = () => example.nodeRed.log().split('Connected to broker').length - 1
    await vi.waitFor(() => expect(connections()).toBe(2), 60_000)
    await example.nodeRed.inject('parlando-23-inject')
    const [response] = await example.debugTexts('finished')
    expect(JSON.parse(response!)).toMatchObject({ round: 1, status: 'said' })
    expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
  })
})
