import { nodeCase } from '../../../../node-red-nodes/src/nodes/listen/listen.test-case.ts'
import { type LoadedFlow, type Message, useNodeRed } from '../runtime.ts'
import { outputWires, send, surroundingNodes } from './flow-harness.ts'

export interface ListenFlow extends LoadedFlow {
  /** Sends a message and waits until the node is done. @returns all messages of the first output so far. */
  listen(message: Message): Promise<Message[]>
  lastStatus(): { fill?: string; shape?: string; text?: string } | undefined
}

/**
 * Starts a Node-RED runtime. @returns a function that loads a flow with a listen node for the service at `baseUrl`, with a
 * helper node at each of the outputs: `out`, `not-understood` (or, without sentences, `interim`) and so on.
 */
export function useListen() {
  const { load, unload } = useNodeRed()
  return {
    unload,
    async loadListen(baseUrl: string, listen: object = {}): Promise<ListenFlow> {
      const settings = { ...nodeCase.settings, ...listen } as Record<string, unknown>
      const others = [
        ...(settings['output'] === 'sentences' ? ['not-understood'] : []),
        ...(settings['interim'] ? ['interim'] : []),
        ...(settings['speech'] ? ['speech'] : []),
      ]
      const flow = await load([
        { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
        {
          id: 'listen',
          type: 'parlando-listen',
          z: 'tab',
          service: 'service',
          ...settings,
          wires: [...outputWires, ...others.map((id) => [id])],
        },
        ...surroundingNodes('listen'),
        ...others.map((id) => ({ id, type: 'helper', z: 'tab' })),
      ])
      return {
        ...flow,
        listen: (message) => send(flow, 'listen', message),
        lastStatus: () => flow.statuses('listen').at(-1),
      }
    },
  }
}
