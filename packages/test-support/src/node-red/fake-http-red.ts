import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { NodeAPI } from 'node-red'
import { speakerTexts } from './fake-red.ts'

const require = createRequire(import.meta.url)
// The one that Node-RED uses.
const express = createRequire(require.resolve('node-red-4'))('express')

export interface FakeHttpRed {
  RED: NodeAPI
  baseUrl: string
  /** Receives what the runtime publishes to all open editors. @returns a function that ends the subscription. */
  subscribe(onMessage: (topic: string, message: unknown) => void): () => void
  close(): Promise<void>
}

/**
 * A fake runtime API that serves HTTP nodes and admin routes on one port.
 * @param guard Runs in front of the HTTP nodes, as the check of a password does.
 */
export async function startFakeHttpRed(
  guard?: ReturnType<NodeAPI['auth']['needsPermission']>,
): Promise<FakeHttpRed> {
  const editors = new Set<(topic: string, message: unknown) => void>()
  const httpNode = express()
  const httpAdmin = express()
  const app = express()
  if (guard) app.use(guard)
  app.use(httpAdmin)
  app.use(httpNode)
  const server = createServer(app)
  // On a busy machine, a request would reach a connection that the server has just closed.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const RED = {
    ...speakerTexts.en,
    server,
    events: new EventEmitter(),
    settings: { uiHost: '127.0.0.1' },
    httpNode,
    httpAdmin,
    auth: {
      needsPermission: () => (_request: unknown, _response: unknown, next: () => void) => next(),
    },
    comms: {
      publish(topic: string, message: unknown) {
        for (const onMessage of editors) onMessage(topic, message)
      },
    },
  } as unknown as NodeAPI
  return {
    RED,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscribe(onMessage) {
      editors.add(onMessage)
      return () => editors.delete(onMessage)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
