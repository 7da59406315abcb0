import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { serviceNodes } from '@parlando/test-support/node-red/node-cases'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { expect, it } from 'vitest'

const { waitForExit } = useDeviceProcesses()
const { load, unload, postToAdmin } = useNodeRed()

const speak = {
  type: 'parlando-speak',
  z: 'tab',
  voice: 'Kit',
  output: 'whole',
  wires: [['out']],
  text: 'payload',
  textType: 'msg',
}

/** A subflow whose instance leaves the service of the speak node empty. */
const env = [{ name: 'SERVICE', type: 'conf-type', value: '' }]
const subflow = [
  {
    id: 'sub',
    type: 'subflow',
    name: 'say',
    env,
    in: [{ wires: [{ id: 'inner' }] }],
    out: [{ wires: [{ id: 'inner', port: 0 }] }],
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Node-RED
  { ...speak, id: 'inner', z: 'sub', service: '${SERVICE}', wires: [] },
  { id: 'instance', type: 'subflow:sub', z: 'tab', env, wires: [['out']] },
]

it('nodes without a service speak with the service on this device', async () => {
  const withoutService = ['', ' ', undefined, null].map((service, index) => ({
    ...speak,
    id: `speak ${index}`,
    service,
  }))
  const flow = await load([...withoutService, ...subflow, { id: 'out', type: 'helper', z: 'tab' }])
  const speakers = [...withoutService.map(({ id }) => id), 'instance']
  for (const id of speakers) flow.node(id).receive({ payload: 'Hello' })
  const messages = await flow.waitFor('out', speakers.length)
  for (const { audio } of messages) expect(audio).toMatchObject({ voiceId: 'Kit', encoding: 'MP3' })
})

it('all nodes, services of this device and forms share one process, which ends with the flow', async () => {
  await load([
    ...serviceNodes.map(({ type }) => ({ id: type, type, z: 'tab', service: '' })),
    { id: 'service', type: 'parlando-service', location: 'device' },
    { ...speak, id: 'speak', service: 'service' },
  ])
  await postToAdmin('/parlando/voices', { service: { id: '', location: 'device' } })
  expect(runningChildProcesses()).toHaveLength(1)
  await unload()
  await waitForExit()
})
