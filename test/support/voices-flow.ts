import { keys } from './keys.ts'
import { type LoadedFlow, type Message, useNodeRed } from './node-red.ts'

/** Starts a Node-RED runtime, and gives what loads a flow with one node that works on the voices of a service. */
export function useVoicesNode(type: 'parlando-voices' | 'parlando-clone-voice', settings: object) {
  const { load, unload } = useNodeRed()
  return {
    unload,
    loadNode(service: { baseUrl: string; apiKey?: string }, changed: object = {}) {
      const flow = [
        { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: service.baseUrl },
        {
          id: 'node',
          type,
          z: 'tab',
          service: 'service',
          wires: [['out', 'join']],
          ...settings,
          ...changed,
        },
        { id: 'out', type: 'helper', z: 'tab' },
        { id: 'join', type: 'join', z: 'tab', mode: 'auto', wires: [['joined']] },
        { id: 'joined', type: 'helper', z: 'tab' },
        { id: 'catch', type: 'catch', z: 'tab', scope: ['node'], wires: [['caught']] },
        { id: 'caught', type: 'helper', z: 'tab' },
        { id: 'complete', type: 'complete', z: 'tab', scope: ['node'], wires: [['completed']] },
        { id: 'completed', type: 'helper', z: 'tab' },
      ]
      return load(flow, { service: { apiKey: service.apiKey ?? keys.service } })
    },
  }
}

/** Sends a message and waits until the node is done with it. */
export async function tell(flow: LoadedFlow, message: Message): Promise<Message[]> {
  const before = flow.received('completed').length
  flow.node('node').receive(message)
  await flow.waitFor('completed', before + 1)
  return flow.received('out')
}

/** Sends a message and waits until Catch has got it. */
export async function refusal(flow: LoadedFlow, message: Message): Promise<Message> {
  const before = flow.received('caught').length
  flow.node('node').receive(message)
  return (await flow.waitFor('caught', before + 1)).at(-1) as Message
}
