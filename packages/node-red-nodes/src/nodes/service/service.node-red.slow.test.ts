import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceNode } from '../../runtime/speech-service.ts'

const { waitForExit } = useDeviceProcesses()
const { load, unload } = useNodeRed()

const device = { id: 'service', type: 'parlando-service', location: 'device' }
const signal = new AbortController().signal

it('starts a service on this device that speaks, and ends it when the flow stops', async () => {
  const flow = await load([device])
  const service = flow.node('service') as unknown as ServiceNode
  const client = await service.connect(signal)
  expect(await service.defaultVoiceId({ signal })).toBe('Heart')
  const request = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
  expect((await client.synthesize(request)).audio.length).toBeGreaterThan(1000)
  expect(runningChildProcesses().length).toBe(1)
  await unload()
  await waitForExit()
})

it('starts the service again after it exits unexpectedly', async () => {
  const flow = await load([device])
  const service = flow.node('service') as unknown as ServiceNode
  const first = await service.connect(signal)
  runningChildProcesses()[0]!.kill('SIGKILL')
  await vi.waitFor(async () => expect(await service.connect(signal)).not.toBe(first), 60_000)
  const { voices } = await (await service.connect(signal)).listVoices()
  expect(voices.length).toBeGreaterThan(0)
  expect(runningChildProcesses().length).toBe(1)
})

it('starts a service that Home Assistant may use again by itself after its process has ended', async () => {
  await load([{ ...device, homeAssistant: true }])
  await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1), 60_000)
  const [first] = runningChildProcesses()
  first!.kill('SIGKILL')
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    const pids = runningChildProcesses().map(({ pid }) => pid)
    expect(pids).toEqual([expect.any(Number)])
    expect(pids).not.toContain(first!.pid)
  }, 60_000)
})

it('stops a service that nobody has used for ten minutes, and starts it for the next message', async () => {
  const flow = await load([
    { ...device, whenUnused: 'stop' },
    {
      id: 'speak',
      type: 'parlando-speak',
      z: 'tab',
      service: 'service',
      voice: 'Kit',
      output: 'whole',
      text: 'payload',
      textType: 'msg',
      wires: [['out']],
    },
    { id: 'out', type: 'helper', z: 'tab' },
  ])
  for (const count of [1, 2]) {
    flow.node('speak').receive({ payload: 'Hello', keep: false })
    await flow.waitFor('out', count)
    expect(runningChildProcesses()).toHaveLength(1)
    // The time begins only when the node is done with the message.
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(10 * 60_000)
      expect(runningChildProcesses()).toEqual([])
    })
  }
}, 120_000)

it('ends a service that is still starting when the flow stops', async () => {
  await load([device, { id: 'speak', type: 'parlando-speak', z: 'tab', service: 'service' }])
  await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1))
  await unload()
  expect(runningChildProcesses()).toEqual([])
})

it('delays neither a node that closes during the start nor another service', async () => {
  const speak = {
    id: 'speak',
    type: 'parlando-speak',
    z: 'tab',
    service: 'service',
    text: 'payload',
    textType: 'msg',
  }
  const flow = await load([device, { ...device, id: 'other' }, speak])
  const other = flow.node('other') as unknown as ServiceNode
  let hasStarted = false
  const starting = (flow.node('service') as unknown as ServiceNode).connect(signal).then(() => {
    hasStarted = true
  })
  void other.connect(signal)
  flow.node('speak').receive({ payload: 'Hello' })
  await flow.node('speak').close(false)
  await flow.node('other').close(false)
  expect(hasStarted).toBe(false)
  await starting
})

it('trims the voice and the model, since pasted ids often have spaces', async () => {
  const flow = await load([{ ...device, voice: ' Ralph ', model: ' svc-tts-2 ' }])
  const service = flow.node('service') as unknown as ServiceNode
  expect(await service.defaultVoiceId({ signal })).toBe('Ralph')
  expect(service.defaults.modelId).toBe('svc-tts-2')
})

it('chooses a voice by the language of the request, else by that of Node-RED', async () => {
  const voices = [
    ['a', 'EN_US'],
    ['b', 'DE_DE'],
    ['c', 'FR_FR'],
  ].map(([voiceId, langCode]) => ({
    voiceId,
    langCode,
  }))
  const server = await startTestServer((response) => void response.end(JSON.stringify({ voices })))
  const flow = await load([{ ...device, location: 'hosted', baseUrl: server.baseUrl }])
  const service = flow.node('service') as unknown as ServiceNode
  const choose = (language?: unknown) => service.defaultVoiceId({ signal, language })
  expect(await Promise.all([choose('fr-CA'), choose('ja')])).toEqual(['c', 'a'])
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [system, voiceId] of [
    ['de_AT.UTF-8', 'b'],
    ['C.UTF-8', 'a'],
    ['', 'a'],
  ]) {
    vi.stubEnv('LC_ALL', system)
    expect(await Promise.all([choose(), choose('AUTO'), choose({})])).toEqual([
      voiceId,
      voiceId,
      voiceId,
    ])
  }
  // `ja` is asked while the first list is on its way.
  expect(server.requests.length).toBeLessThanOrEqual(2)
})

it('provides the same client to every node', async () => {
  const flow = await load([{ ...device, location: 'hosted', baseUrl: 'http://127.0.0.1:9' }])
  const service = flow.node('service') as unknown as ServiceNode
  expect(await service.connect(signal)).toBe(await service.connect(signal))
})

it.each([
  ['', 'service.error.no-address'],
  ['http://speech.example', 'service.error.in-the-clear'],
  ['two words', 'service.error.not-an-address'],
  ['speech.example?key=1', 'service.error.more-than-a-path'],
])(
  'rejects the address "%s" with an error about the address instead of a missing option',
  async (baseUrl, message) => {
    const flow = await load([{ ...device, location: 'hosted', baseUrl }])
    const service = flow.node('service') as unknown as ServiceNode
    await expect(service.connect(signal)).rejects.toMatchObject({ code: 'INVALID_INPUT', message })
  },
)

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Node-RED
const ofTheSubflow = '${SERVICE}'

/** A subflow whose speak node takes the service from each instance of the subflow. */
const subflow = [
  { id: 'sub', type: 'subflow', name: 'say', in: [], out: [] },
  { id: 'speak', type: 'parlando-speak', z: 'sub', service: ofTheSubflow, wires: [] },
]

it('starts with the flow for a subflow instance that uses it', async () => {
  const env = [{ name: 'SERVICE', type: 'conf-type', value: 'service' }]
  await load([device, ...subflow, { id: 'use', type: 'subflow:sub', z: 'tab', env }])
  await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1))
})

it('starts nothing for a subflow without an instance', async () => {
  const [definition, speak] = subflow
  await load([device, definition!, { ...speak, service: 'service' }])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(runningChildProcesses()).toEqual([])
})

it('starts nothing for disabled nodes and for nodes on a disabled tab', async () => {
  const speak = { type: 'parlando-speak', service: 'service', wires: [] }
  await load([
    device,
    { id: 'off', type: 'tab', disabled: true },
    { ...speak, id: 'one', z: 'off' },
    { ...speak, id: 'other', z: 'tab', d: true },
  ])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(runningChildProcesses()).toEqual([])
})
