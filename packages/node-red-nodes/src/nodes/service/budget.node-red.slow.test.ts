import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '@parlando/test-support/speakers/fake-speaker'
import { expect, it, onTestFinished, vi } from 'vitest'

let speaker: FakeSpeaker
const { load, unload, postToAdmin } = useNodeRed({
  afterNodes: () => provideFakeSpeaker(speaker),
})

async function loadFlow(baseUrl: string, output = 'whole') {
  speaker = createFakeSpeaker('kitchen')
  speaker.isInstant = true
  const inTab = { z: 'tab', service: 'paid', voice: 'Clara' }
  const speak = { output, text: 'payload', textType: 'msg', wires: [['out']] }
  const announce = { chime: 'none', standIn: 'none', wires: [['out'], ['notSaid']] }
  return load(
    [
      {
        ...{ id: 'paid', type: 'parlando-service', location: 'hosted', baseUrl },
        ...{ keepSound: 'memory', charactersPerDay: '20', requestsPerMonth: '100' },
      },
      { id: 'speak', type: 'parlando-speak', ...inTab, ...speak },
      { id: 'announce', type: 'parlando-announce', ...inTab, ...announce },
      ...['out', 'notSaid', 'caught'].map((id) => ({ id, type: 'helper', z: 'tab' })),
      { id: 'catch', type: 'catch', z: 'tab', scope: null, wires: [['caught']] },
    ],
    { paid: { apiKey: 'key' } },
  )
}

it('a service that has spent its budget speaks only kept sound and alarms, also after a restart', async () => {
  // At midnight, and with a month, the count begins again.
  vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startTestServer((response) => {
    response.end(audioLine(Buffer.alloc(48_000), { usage: { processedCharactersCount: 18 } }))
  })
  // The nodes also ask which version the service has.
  const spoken = () => server.requests.filter(({ method }) => method === 'POST')
  const flow = await loadFlow(server.baseUrl)
  flow.node('speak').receive({ payload: 'The door is open.' })
  await flow.waitFor('out', 1)
  const nearlySpent = { fill: 'yellow', text: 'speak.status.budget' }
  await vi.waitFor(() => expect(flow.statuses('speak').at(-1)).toMatchObject(nearlySpent))
  flow.node('speak').receive({ payload: 'The window is open.' })
  const [rejected] = await flow.waitFor('caught', 1)
  expect(rejected).toMatchObject({ error: { code: 'BUDGET_SPENT', cause: { retryable: false } } })
  expect(flow.statuses('speak').at(-1)).toMatchObject({ fill: 'red' })
  flow.node('speak').receive({ payload: 'The door is open.' })
  await flow.waitFor('out', 2)
  expect(spoken()).toHaveLength(1)

  await unload()
  const again = await loadFlow(server.baseUrl)
  again.node('announce').receive({ payload: 'The window is open.' })
  const [notSaid] = await again.waitFor('notSaid', 1)
  expect(notSaid).toMatchObject({ announcement: { error: { code: 'BUDGET_SPENT' } } })
  expect(spoken()).toHaveLength(1)
  again.node('announce').receive({ payload: 'Fire.', priority: 'alarm' })
  await again.waitFor('out', 1)
  expect(spoken()).toHaveLength(2)
  const { body } = await postToAdmin('/parlando/kept-sound', { id: 'paid' })
  expect(body).toMatchObject({
    budget: [
      { what: 'characters', period: 'day', max: 20, used: 36, spared: 18 },
      { what: 'requests', period: 'month', max: 100, used: 2, spared: 1 },
    ],
  })
  const { warn } = again.node('paid') as unknown as { warn: { args: unknown[][] } }
  expect(String(warn.args)).not.toContain('nearly-spent')
})

it('a text leaves its budget to the next one if nobody begins to read its speech', async () => {
  const server = await startTestServer((response) => {
    response.end(audioLine(Buffer.alloc(48_000), { usage: { processedCharactersCount: 18 } }))
  })
  const flow = await loadFlow(server.baseUrl, 'chunks')
  const unreadable = Object.defineProperty({ payload: 'The door is open.' }, 'secret', {
    enumerable: true,
    get() {
      throw new Error('cannot be read')
    },
  })
  flow.node('speak').receive(unreadable)
  await vi.waitFor(() => expect(flow.statuses('speak').at(-1)).toMatchObject({ fill: 'red' }))
  flow.node('speak').receive({ payload: 'The window is shut.' })
  await flow.waitFor('out', 2)
  expect(flow.received('caught')).toEqual([])
})
