import { useDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '@parlando/test-support/speakers/fake-speaker'
import { expect, it, vi } from 'vitest'

useDeviceProcesses()
let speaker: FakeSpeaker
const { load } = useNodeRed({ afterNodes: () => provideFakeSpeaker(speaker) })

/** A service that responds with the status that the voice names, or not at all, or with half a sound. */
const startService = () =>
  startTestServer((response, _request, bytes) => {
    const { voiceId } = JSON.parse(Buffer.from(bytes).toString()) as { voiceId: string }
    if (voiceId === 'silent') return
    if (voiceId === 'half') {
      response.write(audioLine(Buffer.alloc(24_000, 1)))
      response.socket?.end()
      return
    }
    response.writeHead(Number(voiceId)).end('{"message":"No."}')
  })

/** Flows that announce with services of other machines, in a voice that only those have. */
async function loadAnnounce(settings: object = {}) {
  speaker = createFakeSpeaker('kitchen')
  speaker.isInstant = true
  const server = await startService()
  const service = { type: 'parlando-service', location: 'hosted', retries: '0' }
  const announce = { type: 'parlando-announce', z: 'tab', voice: 'of the service', chime: 'none' }
  const wires = [['said'], ['notSaid']]
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Node-RED
  const keys = { reachable: 'key', spent: 'key', off: 'key', keyless: '${NO_SUCH_KEY}' }
  const flow = await load(
    [
      ...Object.keys(keys).flatMap((name) => [
        {
          ...{ ...service, id: name },
          baseUrl: name === 'off' ? unreachableUrl : server.baseUrl,
          ...(name === 'spent' && { charactersPerDay: '1' }),
        },
        { ...announce, id: `announce ${name}`, service: name, ...settings, outputs: 2, wires },
      ]),
      ...['said', 'notSaid', 'caught'].map((id) => ({ id, type: 'helper', z: 'tab' })),
      { id: 'catch', type: 'catch', z: 'tab', scope: null, wires: [['caught']] },
    ],
    Object.fromEntries(Object.entries(keys).map(([name, apiKey]) => [name, { apiKey }])),
  )
  const receive = (name: keyof typeof keys, message: object) =>
    flow.node(`announce ${name}`).receive({ ...message })
  return { flow, server, receive }
}

it('what the service cannot speak is said by a voice of this machine, and the report says why', async () => {
  const { flow, receive, server } = await loadAnnounce()
  const cases = [
    ['off', { payload: 'Yes.' }, 'NOT_REACHABLE', 'Heart'],
    ['off', { payload: 'Die Tür ist auf.', voiceId: 'another' }, 'NOT_REACHABLE', 'Greta'],
    ['off', { payload: 'Oui.', speechOptions: { language: 'fr-FR' } }, 'NOT_REACHABLE', 'Margot'],
    ['keyless', { payload: 'Yes.' }, 'INVALID_INPUT', 'Heart'],
    ['spent', { payload: 'Yes.' }, 'BUDGET_SPENT', 'Heart'],
    ['reachable', { payload: 'Yes.', voiceId: '401' }, 'UNAUTHENTICATED', 'Heart'],
    ['reachable', { payload: 'Yes.', voiceId: '429' }, 'RESOURCE_EXHAUSTED', 'Heart'],
    ['reachable', { payload: 'Yes.', voiceId: '404' }, 'NOT_FOUND', 'Heart'],
    ['reachable', { payload: 'Yes.', voiceId: '500' }, 'INTERNAL', 'Heart'],
  ] as const
  for (const [index, [service, message, code, voiceId]] of cases.entries()) {
    // The same text on the same topic would not be said twice.
    receive(service, { ...message, topic: `${index}` })
    const said = await flow.waitFor('said', index + 1)
    const { audio } = speaker.played.at(-1)!
    expect(audio.length).toBeGreaterThan(10_000)
    expect(said.at(-1)).toMatchObject({
      announcement: { status: 'said', standIn: { voiceId, error: { code } } },
    })
  }
  await vi.waitFor(() =>
    expect(flow.statuses('announce reachable').at(-1)).toMatchObject({
      fill: 'yellow',
      text: expect.stringContaining('playback.played-by-stand-in'),
    }),
  )

  receive('reachable', { payload: 'Yes.', voiceId: 'silent', topic: 'slow' })
  const heard = ({ body }: { body: unknown }) => (body as { voiceId?: string }).voiceId
  await vi.waitFor(() => expect(server.requests.map(heard)).toContain('silent'))
  await vi.advanceTimersByTimeAsync(20_000)
  const said = await flow.waitFor('said', cases.length + 1)
  // Other nodes report it, too: it is a text of all.
  const message = expect.stringContaining('shared.speech.no-sound')
  const error = { code: 'TIMEOUT', message }
  expect(said.at(-1)).toMatchObject({ announcement: { standIn: { error } } })
  expect(flow.received('caught')).toEqual([])
  // It starts a service and loads a natural voice.
}, 120_000)

it.each([
  ['the service rejects would fail every time, and fails', '400', 'INVALID_ARGUMENT'],
  ['was heard in part is not said again', 'half', 'CONNECTION_LOST'],
])('what %s', async (_what, voiceId, code) => {
  const { flow, receive } = await loadAnnounce()
  receive('reachable', { payload: 'Yes.', voiceId })
  const [message] = await flow.waitFor('caught', 1)
  expect(message).toMatchObject({ error: { code } })
  expect(flow.received('said')).toEqual([])
})

it('what a service that is away cannot speak is not said if the form forbids it', async () => {
  const { flow, receive } = await loadAnnounce({ standIn: 'none' })
  receive('off', { payload: 'Yes.' })
  const [message] = await flow.waitFor('notSaid', 1)
  const error = { code: 'NOT_REACHABLE' }
  expect(message).toMatchObject({ announcement: { reason: 'failed', error } })
})
