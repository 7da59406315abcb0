import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

const place = { x: 0, y: 0, z: 'tab' }
const page = (name: string, settings: object = {}) => ({
  ...{ id: `${name}-id`, type: 'parlando-speaker', kind: 'page', name, ...settings },
})
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  {
    id: 'away',
    type: 'parlando-service',
    location: 'hosted',
    baseUrl: unreachableUrl,
    credentials: { apiKey: keys.service },
  },
  page('kitchen', { instead: ['', 'hall-id'] }),
  page('hall', { instead: ['', 'kitchen-id'] }),
  page('office'),
  {
    id: 'house-id',
    type: 'parlando-speaker',
    kind: 'group',
    name: 'house',
    members: ['', 'kitchen-id', 'office-id', 'house-id', 'removed'],
  },
  { ...place, id: 'in', type: 'http in', url: '/say', method: 'post', wires: [['announce']] },
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    service: 'away',
    speaker: 'house-id',
    chime: 'none',
    outputs: 2,
    wires: [['report'], ['report']],
  },
  {
    ...place,
    id: 'report',
    type: 'change',
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'announcement', tot: 'msg' }],
    wires: [['out']],
  },
  { ...place, id: 'out', type: 'http response', statusCode: '200', wires: [] },
]

let nodeRed: NodeRedProcess
beforeAll(async () => {
  nodeRed = await startNodeRed([])
  await nodeRed.deploy(flow)
})
afterAll(() => nodeRed?.close())

it('a house without its service and with a dead speaker hears what it should', async () => {
  const tablets = await Promise.all(
    ['hall', 'office'].map((name) => openPage(nodeRed.baseUrl, name)),
  )
  onTestFinished(() => {
    for (const tablet of tablets) tablet.close()
  })
  const recordings = await Promise.all(tablets.map((tablet) => tablet.record()))
  const text = 'The washing machine is done.'
  const response = await fetch(`${nodeRed.baseUrl}/say`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: text,
  })
  expect(await response.json()).toMatchObject({
    status: 'said',
    standIn: { voiceId: 'Heart', error: { code: 'NOT_REACHABLE' } },
    speakers: [
      { name: 'kitchen', status: 'failed', error: { code: 'NO_PLAYER' }, instead: 'hall' },
      { name: 'office', status: 'said' },
      { status: 'failed', error: { code: 'INVALID_INPUT' } },
      { name: 'hall', status: 'said' },
    ],
  })
  for (const recording of recordings) await expectHeard(await recording.stop(), text)
})
