import { nodeCase } from '../../../../node-red-nodes/src/nodes/announce/announce.test-case.ts'
import { audioLine, startTestServer } from '../../servers/test-server.ts'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '../../speakers/fake-speaker.ts'
import { type LoadedFlow, useNodeRed } from '../runtime.ts'

/** Half a second of speech. */
export const spoken = audioLine(Buffer.alloc(24_000, 1))

/** Loads flows with an announce node, a service that makes speech, and a speaker. */
export function useAnnounce() {
  let speaker: FakeSpeaker
  const { load, unload, userFolder } = useNodeRed({
    afterNodes: () => provideFakeSpeaker(speaker),
  })
  const loadAnnounce = async (
    settings: object = {},
    respond: Parameters<typeof startTestServer>[0] = (response) => void response.end(spoken),
  ) => {
    const server = await startTestServer(respond)
    speaker = createFakeSpeaker('kitchen')
    const flow = await load(announceFlow(server.baseUrl, settings), { service: { apiKey: 'key' } })
    const announce = (message: object) => flow.node('announce').receive({ ...message })
    return { flow, server, speaker, announce }
  }
  return { loadAnnounce, unload, userFolder }
}

function announceFlow(baseUrl: string, settings: object): object[] {
  const place = { z: 'tab' }
  return [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    {
      ...place,
      id: 'announce',
      type: 'parlando-announce',
      service: 'service',
      ...nodeCase.settings,
      ...settings,
      wires: [['said'], ['notSaid'], ['handedOut']],
    },
    ...['said', 'notSaid', 'handedOut', 'caught', 'completed'].map((id) => ({
      ...place,
      id,
      type: 'helper',
    })),
    { ...place, id: 'catch', type: 'catch', scope: ['announce'], wires: [['caught']] },
    { ...place, id: 'complete', type: 'complete', scope: ['announce'], wires: [['completed']] },
  ]
}

/** A message with a property that has only a getter. */
export const withGetter = (property: string, get: () => unknown) =>
  Object.defineProperty({ payload: 'Hello.' }, property, { enumerable: true, get })

export const failToRead = () => {
  throw new Error('cannot be read')
}

export const textsOn = ({ played }: FakeSpeaker) => played.map(({ text }) => text)
export const lastStatus = (flow: LoadedFlow) => flow.statuses('announce').at(-1)
