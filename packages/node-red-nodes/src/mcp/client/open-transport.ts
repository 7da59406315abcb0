import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { addressFault, completeAddress } from '@parlando/core/address'
import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import { limitedFetch } from './limited-fetch.ts'
import { createMessageLimit } from './message-limit.ts'
import { readVariables, splitCommandLine } from './program-settings.ts'

/** The settings of a server. Texts are trimmed; an empty one was not given. */
export interface McpSettings {
  kind: 'address' | 'program'
  address: string
  /** The command line that starts the server. */
  command: string
  /** The environment variables of the program, one `NAME=value` per line; `{key}` is the key. */
  variables: string
  /** The key, from the credentials of Node-RED. */
  key: string
}

export type McpTransport = StreamableHTTPClientTransport | StdioClientTransport

/** Prepares the connection; loads the library for it first. @throws {NodeInputError} for settings that are not valid. */
export async function openTransport(RED: Texts, settings: McpSettings): Promise<McpTransport> {
  const { kind, key } = settings
  // In a header, other characters would end up in an error.
  if (!/^[\x21-\x7e]*$/.test(key)) throw new NodeInputError(RED._('mcp-server.error.bad-key'))
  if (kind === 'program') return startProgram(RED, settings)
  const address = completeAddress(settings.address)
  if (addressFault(address)) throw new NodeInputError(RED._('mcp-server.error.bad-address'))
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  return new StreamableHTTPClientTransport(new URL(address), {
    fetch: limitedFetch,
    requestInit: { headers: key === '' ? {} : { authorization: `Bearer ${key}` } },
  })
}

async function startProgram(
  RED: Texts,
  { command, variables, key }: McpSettings,
): Promise<StdioClientTransport> {
  const [program, ...args] = splitCommandLine(command)
  if (!program) throw new NodeInputError(RED._('mcp-server.error.no-command'))
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const transport = new StdioClientTransport({
    command: program,
    args,
    // The library adds only PATH, HOME and the like: the keys of Node-RED are not for this program.
    env: readVariables(variables, key),
    stderr: 'pipe',
  })
  limitMessages(transport)
  return transport
}

/** The library has no limit for values, and no place for one of ours. `package.json` keeps to the versions with this buffer. */
function limitMessages(transport: StdioClientTransport): void {
  const buffer: { append(chunk: Buffer): void } = transport['_readBuffer']
  const append = buffer.append.bind(buffer)
  const check = createMessageLimit({ isPerLine: true })
  buffer.append = (chunk) => {
    check(chunk)
    append(chunk)
  }
}
