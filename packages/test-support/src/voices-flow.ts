import { flowAround, wiresBehind } from './flow-harness.ts'
import { keys } from './keys.ts'
import { useNodeRed } from './node-red.ts'

/** Starts a Node-RED runtime. @returns a function that loads a flow with one node for the voices of a service. */
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
          wires: wiresBehind,
          ...settings,
          ...changed,
        },
        ...flowAround('node'),
      ]
      return load(flow, { service: { apiKey: service.apiKey ?? keys.service } })
    },
  }
}
