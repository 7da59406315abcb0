import { flowAround, notify, wiresBehind } from './flow-harness.ts'
import { type LoadedFlow, type Message, useNodeRed } from './node-red.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** One event of a streamed response. */
export function chatEvent(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ model: 'test/model', choices: [{ index: 0, delta }], ...more })}\n\n`
}

/** The last events of a streamed response. */
export const chatEnd = [
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })}\n\n`,
  'data: [DONE]\n\n',
].join('')

/** A service that responds to every request with these pieces, one event each. */
export function startChatServer(...bits: (string | object)[]): Promise<TestServer> {
  return startTestServer((response) => {
    for (const bit of bits) {
      response.write(chatEvent(typeof bit === 'string' ? { content: bit } : bit))
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
          wires: wiresBehind,
          ...chat,
        },
        ...flowAround('chat'),
      ])
    },
  }
}

/** Sends a message and waits until the node is done. */
export function ask(flow: LoadedFlow, message: Message): Promise<Message[]> {
  return notify(flow, 'chat', message)
}
