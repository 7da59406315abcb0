import { startTestServer, type TestServer } from '../test-server.ts'
import { outputWires, send, surroundingNodes } from './flow-harness.ts'
import { type LoadedFlow, type Message, useNodeRed } from './runtime.ts'

/** An event of a streamed response, with this delta. */
export function chatEvent(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ model: 'test/model', choices: [{ index: 0, delta }], ...more })}\n\n`
}

/** The final events of a streamed response: the reason why it ended, the usage, and the end marker. */
export const chatEnd = [
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })}\n\n`,
  'data: [DONE]\n\n',
].join('')

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
  const { load, unload } = useNodeRed()
  return {
    unload,
    loadChat(baseUrl: string, chat: object = {}): Promise<LoadedFlow> {
      return load([
        { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
        {
          id: 'chat',
          type: 'parlando-chat',
          z: 'tab',
          service: 'service',
          prompt: 'payload',
          promptType: 'msg',
          model: 'test/model',
          system: '',
          turns: '10',
          temperature: '',
          maxTokens: '',
          output: 'whole',
          busy: 'wait',
          wires: outputWires,
          ...chat,
        },
        ...surroundingNodes('chat'),
      ])
    },
  }
}

/** Sends a message and waits until the node is done. @returns all messages that the node has sent so far. */
export function ask(flow: LoadedFlow, message: Message): Promise<Message[]> {
  return send(flow, 'chat', message)
}
