import { nodeCase } from '../../../../node-red-nodes/src/nodes/chat/chat.test-case.ts'
import { chatEnd, chatEvent } from '../../servers/chat-events.ts'
import { startTestServer, type TestServer } from '../../servers/test-server.ts'
import { type LoadedFlow, type Message, useNodeRed } from '../runtime.ts'
import { outputWires, send, surroundingNodes } from './flow-harness.ts'

/** Starts a service that responds to every request with these deltas (or texts), one event each. */
export function startChatServer(...deltas: (string | object)[]): Promise<TestServer> {
  return startTestServer((response) => {
    for (const delta of deltas) {
      response.write(chatEvent(typeof delta === 'string' ? { content: delta } : delta))
    }
    response.end(chatEnd)
  })
}

/** Starts a Node-RED runtime. @returns a function that loads a flow with a chat node for the service at `baseUrl`. */
export function useChat() {
  const { load, unload, userFolder } = useNodeRed()
  return {
    unload,
    userFolder,
    /** @param more further nodes, such as configuration nodes. */
    loadChat(
      baseUrl: string,
      chat: object = {},
      more: object[] = [],
      credentials: object = {},
    ): Promise<LoadedFlow> {
      const flow = [
        ...more,
        { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
        {
          id: 'chat',
          type: 'parlando-chat',
          z: 'tab',
          service: 'service',
          ...nodeCase.settings,
          model: 'test/model',
          output: 'whole',
          wires: outputWires,
          ...chat,
        },
        ...surroundingNodes('chat'),
      ]
      return load(flow, credentials)
    },
  }
}

/** Sends a message and waits until the node is done. @returns all messages that the node has sent so far. */
export function ask(flow: LoadedFlow, message: Message): Promise<Message[]> {
  return send(flow, 'chat', message)
}
