import { completeAddress } from '@parlando/core/address'
import type { NodeAPI, NodeDef } from 'node-red'
import { McpConnection } from '../../mcp/client/mcp-connection.ts'
import type { McpSettings } from '../../mcp/client/open-transport.ts'
import { splitCommandLine } from '../../mcp/client/program-settings.ts'
import { type KnownTool, selectTools } from '../../mcp/client/served-tools.ts'
import { readToolResult } from '../../mcp/client/tool-result.ts'
import type { ToolServer, ToolServerNode } from '../../mcp/tool-server.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { handleClose } from '../../runtime/input.ts'
import { isPlainObject } from '../../runtime/settings.ts'

interface McpServerDef extends NodeDef, Omit<McpSettings, 'key'> {
  /** The names of the tools that a language model may call, separated by commas; empty: all. */
  tools?: string
  /** The time limit of a call. Default: 30. */
  timeoutSeconds?: string | number
}

const defaultTimeoutSeconds = 30

function register(RED: NodeAPI): void {
  function McpServer(this: ToolServerNode, config: McpServerDef) {
    RED.nodes.createNode(this, config)
    const key = this.credentials?.key ?? ''
    const { close, ...server } = createToolServer(RED, { ...config, key })
    Object.assign(this, server)
    handleClose(RED, this, close)
  }
  RED.nodes.registerType<ToolServerNode, McpServerDef, object, { key?: string }>(
    'parlando-mcp-server',
    McpServer,
    { credentials: { key: { type: 'password' } } },
  )
}

type ServerForm = McpServerDef & { key: string }

function createToolServer(RED: NodeAPI, form: ServerForm): ToolServer & { close(): Promise<void> } {
  const serverName = nameOf(RED, form)
  const timeoutMs = 1000 * (Number(form.timeoutSeconds) || defaultTimeoutSeconds)
  const connection = new McpConnection({ ...form, RED, serverName, timeoutMs })
  const chosen = (form.tools ?? '').split(',').map((name) => name.trim())
  let known: readonly KnownTool[] = []
  return {
    serverName,
    async listTools(signal) {
      const { tools, problem } = selectTools(
        await connection.listTools(signal),
        chosen.filter((name) => name !== ''),
      )
      if (!tools) {
        const values = { server: serverName, name: problem.name }
        throw new NodeInputError(RED._(`mcp-server.error.${problem.fault}`, values))
      }
      known = tools
      return tools.map(({ ownName: _ownName, ...tool }) => tool)
    },
    async callTool(name, json, signal) {
      const { ownName = name } = known.find((tool) => tool.name === name) ?? {}
      const values = readArguments(json)
      if (!values) throw new Error(RED._('mcp-server.error.bad-arguments', { name }))
      return connection.redact(readToolResult(await connection.callTool(ownName, values, signal)))
    },
    close: () => connection.close(),
  }
}

/** The name of a server in errors. The address and the command line may contain a key. */
function nameOf(RED: NodeAPI, { name, kind, address = '', command = '' }: ServerForm): string {
  if (name) return name
  const place = kind === 'program' ? splitCommandLine(command)[0] : hostOf(address)
  return place || RED._('mcp-server.label.none')
}

function hostOf(typed: string): string | undefined {
  const address = completeAddress(typed)
  return URL.canParse(address) ? new URL(address).host : undefined
}

/** @returns nothing if the language model has not written an object. */
function readArguments(json: string): Record<string, unknown> | undefined {
  try {
    const values: unknown = JSON.parse(json || '{}')
    return isPlainObject(values) ? values : undefined
  } catch {
    return undefined
  }
}

export = register
