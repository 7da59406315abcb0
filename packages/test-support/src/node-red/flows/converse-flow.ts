import { nodeCase } from '../../../../node-red-nodes/src/nodes/converse/converse.test-case.ts'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '../../servers/socket-server.ts'
import { type Message, useNodeRed } from '../runtime.ts'
import { outputWires, surroundingNodes } from './flow-harness.ts'

/** Starts a Node-RED runtime. @returns a function that starts a service, and a flow with a converse node for it. */
export function useConverse() {
  const { load, deploy, unload, userFolder } = useNodeRed()
  return {
    deploy,
    unload,
    userFolder,
    /** @param more further nodes, such as configuration nodes. */
    async startConverse(
      handlers: SocketServerHandlers,
      converse: object = {},
      more: object[] = [],
    ) {
      const server = await startSocketServer(handlers)
      const place = { z: 'tab' }
      const nodes = [
        ...more,
        { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
        {
          ...place,
          id: 'converse',
          type: 'parlando-converse',
          service: 'service',
          ...nodeCase.settings,
          ...converse,
          wires: [...outputWires, ['transcript'], ['tool']],
        },
        ...surroundingNodes('converse'),
        { ...place, id: 'transcript', type: 'helper' },
        { ...place, id: 'tool', type: 'helper' },
      ]
      const flow = await load(nodes)
      const receive = (message: Message) => flow.node('converse').receive(message)
      return { server, flow, receive, nodes }
    },
  }
}

/** The messages of this type that the node has sent. */
export const sentOf = (socket: ServerSocket | undefined, type: string) =>
  (socket?.messages ?? []).filter((message) => (message as { type: string }).type === type)

const place = { response_id: 'r1', item_id: 'i1', output_index: 0, content_index: 0 }
export const created = { type: 'response.created', response: { id: 'r1' } }
export const done = (facts = {}) => ({
  type: 'response.done',
  response: { id: 'r1', status: 'completed', ...facts },
})
export const speech = (milliseconds: number) => ({
  type: 'response.output_audio.delta',
  ...place,
  delta: Buffer.alloc(48 * milliseconds, 1).toString('base64'),
})
export const said = (transcript: string) => ({
  type: 'response.output_audio_transcript.done',
  ...place,
  transcript,
})

/** A service that sends these events when a response is requested. */
export function responding(...events: object[]): SocketServerHandlers {
  return {
    onMessage(socket, { type }) {
      if (type === 'session.update') socket.send({ type: 'session.updated', session: {} })
      if (type === 'response.create') for (const event of events) socket.send(event)
    },
  }
}
