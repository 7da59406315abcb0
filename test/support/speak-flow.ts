import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll } from 'vitest'
import { keys } from './keys.ts'
import { type LoadedFlow, type Message, useNodeRed } from './node-red.ts'

const apiKey = keys.service

export interface SpeakFlowOptions {
  speak?: object
  service?: object
  baseUrl?: string
  key?: string
}

/** Starts a service and a Node-RED runtime, and gives what loads a flow with a speak node that uses the service. */
export function useSpeak() {
  let service: LocalService
  beforeAll(async () => {
    service = await startLocalService({ apiKey })
  })
  afterAll(() => service.close())
  const { load, unload } = useNodeRed()
  return {
    unload,
    loadSpeak(options: SpeakFlowOptions = {}): Promise<LoadedFlow> {
      const { baseUrl = service.baseUrl, key = apiKey } = options
      return load(speakFlow(options, baseUrl), { service: { apiKey: key } })
    },
  }
}

/** speak → out, and in the same tab a Catch, a Complete and a Join behind speak. */
function speakFlow({ speak = {}, service = {} }: SpeakFlowOptions, baseUrl: string): object[] {
  return [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl, ...service },
    {
      id: 'speak',
      type: 'parlando-speak',
      z: 'tab',
      service: 'service',
      text: 'payload',
      textType: 'msg',
      voice: 'Clara',
      model: 'svc-tts-2',
      encoding: 'WAV',
      sampleRate: '24000',
      output: 'chunks',
      busy: 'wait',
      wires: [['out', 'join']],
      ...speak,
    },
    { id: 'out', type: 'helper', z: 'tab' },
    { id: 'join', type: 'join', z: 'tab', mode: 'auto', accumulate: true, wires: [['joined']] },
    { id: 'joined', type: 'helper', z: 'tab' },
    { id: 'catch', type: 'catch', z: 'tab', scope: ['speak'], wires: [['caught']] },
    { id: 'caught', type: 'helper', z: 'tab' },
    { id: 'complete', type: 'complete', z: 'tab', scope: ['speak'], wires: [['completed']] },
    { id: 'completed', type: 'helper', z: 'tab' },
  ]
}

/** Sends a message and waits until the node is done with it. */
export async function speak(flow: LoadedFlow, message: Message): Promise<Message[]> {
  const before = flow.received('completed').length
  flow.node('speak').receive(message)
  await flow.waitFor('completed', before + 1)
  return flow.received('out')
}

/** Sends a message and waits until Catch has got it. */
export async function failure(flow: LoadedFlow, message: Message) {
  const before = flow.received('caught').length
  flow.node('speak').receive(message)
  const caught = await flow.waitFor('caught', before + 1)
  return caught.at(-1) as Message & {
    error: { message: string; code: string; stack?: string; cause: Record<string, unknown> }
  }
}

export const lastStatus = (flow: LoadedFlow) => flow.statuses('speak').at(-1)
