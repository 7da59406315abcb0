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
import { trimmedText } from '../../runtime/saved-settings.ts'
import { isPlainObject, textOrType } from '../../runtime/settings.ts'

/** The form. In a hand-written flow, each setting may be missing, or any JSON. */
type McpServerDef = NodeDef & Partial<Record<keyof ServerSettings, unknown>>

interface ServerSettings extends McpSettings {
  name: string
  /** The names of the tools that a language model may call, separated by commas; empty: all. */
  tools: string
  timeoutSeconds: number
}

const defaultTimeoutSeconds = 30

function register(RED: NodeAPI): void {
  function McpServer(this: ToolServerNode, config: McpServerDef) {
    RED.nodes.createNode(this, config)
    const settings = readForm(config, this.credentials?.key)
    const { close, ...server } = createToolServer(RED, settings)
    Object.assign(this, server)
    handleClose(RED, this, close)
  }
  RED.nodes.registerType<ToolServerNode, McpServerDef, object, { key?: string }>(
    'parlando-mcp-server',
    McpServer,
    { credentials: { key: { type: 'password' } } },
  )
}

function readForm(form: McpServerDef, key: unknown): ServerSettings {
  return {
    name: trimmedText(form.name),
    kind: form.kind === 'program' ? 'program' : 'address',
    address: trimmedText(form.address),
    command: trimmedText(form.command),
    variables: trimmedText(form.variables),
    // Empty allows all tools. Any other type must not, so it becomes a name that no tool has.
    tools: textOrType(form.tools ?? ''),
    timeoutSeconds: Number(form.timeoutSeconds) || defaultTimeoutSeconds,
    key: trimmedText(key),
  }
}

type ClosableToolServer = ToolServer & { close(): Promise<void> }

function createToolServer(RED: NodeAPI, settings: ServerSettings): ClosableToolServer {
  const serverName = nameOf(RED, settings)
  const timeoutMs = 1000 * settings.timeoutSeconds
  const connection = new McpConnection({ ...settings, RED, serverName, timeoutMs })
  const chosen = settings.tools.split(',').map((name) => name.trim())
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
function nameOf(RED: NodeAPI, { name, kind, address, command }: ServerSettings): string {
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
