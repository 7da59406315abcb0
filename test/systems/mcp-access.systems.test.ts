import { execFile } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { keys } from '@parlando/test-support/secrets/keys'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { ToolAccess } from '../../packages/node-red-nodes/src/mcp/server/tool-access.ts'
import { addAccessRoute } from '../../packages/node-red-nodes/src/nodes/mcp-access/access-route.ts'
import { noteRunning } from '../../packages/node-red-nodes/src/runtime/running-nodes.ts'
import { watcherOf } from '../../packages/node-red-nodes/src/runtime/watched-messages.ts'
import { usePythonEnvironment } from './python/python-environment.ts'

const program = fileURLToPath(new URL('python/mcp_client.py', import.meta.url))
let python: string
beforeAll(() => {
  const install = (pip: (...args: string[]) => void) => pip('mcp')
  python = join(usePythonEnvironment('mcp', { minVersion: 10, install }), 'python')
}, 300_000)

/** Serves a node that says every text at once. */
async function serveNode(key: string): Promise<string> {
  const { RED, baseUrl, close } = await startFakeHttpRed()
  onTestFinished(close)
  const config = { id: 'kitchen', type: 'parlando-announce', name: 'Kitchen', mcpAccess: 'access' }
  const node = Object.assign(new EventEmitter(), {
    id: 'kitchen',
    receive(message: { payload: string }) {
      const announcement = { status: 'said', text: message.payload }
      watcherOf(message as never)!.sent({ announcement } as never, 0)
    },
  })
  noteRunning(node as never, config as never)
  onTestFinished(() => void node.emit('close'))
  const nodes = { eachNode: (look: (node: object) => void) => look(config), getNode: () => node }
  const access = new ToolAccess({ ...RED, nodes } as never, 'access', key)
  addAccessRoute(RED, [access])
  return `${baseUrl}/parlando/mcp`
}

it('a client of the Python package mcp uses a node as a tool', async () => {
  const address = await serveNode(keys.service)
  const { stdout } = await promisify(execFile)(python, [program, address, keys.service, 'Dinner'])
  expect(JSON.parse(stdout)).toEqual({
    tools: ['announce_kitchen'],
    result: '{"status":"said","text":"Dinner"}',
  })
})

it('a client of the Python package mcp with a wrong key is rejected', async () => {
  const address = await serveNode(keys.service)
  const calling = promisify(execFile)(python, [program, address, keys.wrong, 'Dinner'])
  await expect(calling).rejects.toThrow(/MCPError/)
})
