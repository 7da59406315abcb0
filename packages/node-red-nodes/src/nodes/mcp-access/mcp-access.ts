import type { Node, NodeAPI, NodeDef } from 'node-red'
import { ToolAccess } from '../../mcp/server/tool-access.ts'
import { addAccessRoute } from './access-route.ts'

const minKeyCharacters = 16

function register(RED: NodeAPI): void {
  const accesses = new Map<string, ToolAccess>()
  addAccessRoute(RED, { [Symbol.iterator]: () => accesses.values() })

  function McpAccess(this: Node<{ key?: string }>, config: NodeDef) {
    RED.nodes.createNode(this, config)
    const key = (this.credentials?.key ?? '').trim()
    if (key.length < minKeyCharacters) {
      // Nothing is served with it.
      this.error(RED._('mcp-access.error.short-key', { characters: minKeyCharacters }))
      return
    }
    const access = new ToolAccess(RED, this.id, key)
    accesses.set(this.id, access)
    this.on('close', () => {
      access.close()
      accesses.delete(this.id)
    })
  }
  RED.nodes.registerType<Node<{ key?: string }>, NodeDef, object, { key?: string }>(
    'parlando-mcp-access',
    McpAccess,
    { credentials: { key: { type: 'password' } } },
  )
}

export = register
