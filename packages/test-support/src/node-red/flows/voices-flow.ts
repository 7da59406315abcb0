import { keys } from '../../secrets/keys.ts'
import { useNodeRed } from '../runtime.ts'
import { outputWires, surroundingNodes } from './flow-harness.ts'

/** Starts a Node-RED runtime. @returns a function that loads a flow with one node of this type. */
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
          wires: outputWires,
          ...settings,
          ...changed,
        },
        ...surroundingNodes('node'),
      ]
      return load(flow, { service: { apiKey: service.apiKey ?? keys.service } })
    },
  }
}
