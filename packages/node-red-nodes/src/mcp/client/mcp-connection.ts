import type { Client } from '@modelcontextprotocol/client'
import type { Texts } from '../../runtime/texts.ts'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import { isSessionLost, McpFailures, type McpLimit } from './mcp-failures.ts'
import { type McpSettings, type McpTransport, openTransport } from './open-transport.ts'
import type { ListedTool } from './served-tools.ts'
import type { ToolOutput } from './tool-result.ts'

export interface McpConnectionOptions extends McpSettings {
  RED: Texts
  serverName: string
  /** The time limit of a call. */
  timeoutMs: number
}

/** A program may have to be downloaded first. */
const startMs = { program: 60_000, address: 15_000 }
const listMs = 15_000
const goodbyeMs = 1000

interface OpenServer {
  client: Client
  transport: McpTransport
}

/** A connection to an MCP server. It opens when it is needed, and again after the server has ended. */
export class McpConnection {
  readonly #options: McpConnectionOptions
  readonly #failures: McpFailures
  readonly #closing = new AbortController()
  #opening: Promise<OpenServer> | undefined

  constructor(options: McpConnectionOptions) {
    this.#options = options
    this.#failures = new McpFailures(options)
  }

  /** @throws {Error} that says what failed and what to do, without the key. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]> {
    return this.#use(signal, { ms: listMs, text: 'list-timeout' }, async (client) => {
      const { tools } = await client.listTools(undefined, { signal, timeout: listMs })
      return tools as ListedTool[]
    })
  }

  /** @throws {Error} that says what failed and what to do, without the key. */
  callTool(
    name: string,
    values: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const { timeoutMs } = this.#options
    const limits = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs }
    return this.#use(signal, { ms: timeoutMs, text: 'timeout' }, (client) =>
      client.callTool({ name, arguments: values }, limits),
    )
  }

  /** Replaces the key in a text that may contain it: a tool can return the variables of its program. */
  redact(text: string): string {
    return this.#failures.redact(text)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const opened = await this.#opening?.catch(() => undefined)
    if (opened) await closeServer(opened)
  }

  /** @param limit of the work, without that of the connection. */
  async #use<Result>(
    signal: AbortSignal,
    limit: McpLimit,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { client } = await unlessAborted(this.#open(), signal)
      try {
        return await work(client)
      } catch (error) {
        // The server has started again since the last call, and has not taken this one.
        if (!isSessionLost(error)) throw error
        await this.#forget(client)
        return await work((await unlessAborted(this.#open(), signal)).client)
      }
    } catch (error) {
      signal.throwIfAborted()
      throw this.#failures.explain(error, limit)
    }
  }

  #open(): Promise<OpenServer> {
    if (!this.#opening) {
      const opening = this.#connect()
      this.#opening = opening
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined
      })
    }
    return this.#opening
  }

  async #connect(): Promise<OpenServer> {
    const { RED, kind } = this.#options
    const transport = await openTransport(RED, this.#options)
    await this.#failures.listen(transport)
    const { Client } = await import('@modelcontextprotocol/client')
    const client = new Client(
      { name: 'parlando', version: '1' },
      {
        // A program would be started twice.
        versionNegotiation: { mode: kind === 'program' ? 'legacy' : 'auto' },
        jsonSchemaValidator: { getValidator: () => acceptAnything },
        listMaxPages: 10,
      },
    )
    const signal = this.#closing.signal
    signal.throwIfAborted()
    client.onclose = () => void this.#forget(client)
    const limit: McpLimit = { ms: startMs[kind], text: 'start-timeout' }
    try {
      await client.connect(transport, { signal, timeout: limit.ms })
    } catch (error) {
      await client.close().catch(() => {})
      throw this.#failures.explain(error, limit)
    }
    return { client, transport }
  }

  /** The next use connects again. */
  async #forget(client: Client): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    if (opened?.client !== client) return
    this.#opening = undefined
    await client.close().catch(() => {})
  }
}

/** Results become text for a language model, so their schema does not matter. */
function acceptAnything(data: unknown) {
  return { valid: true as const, data: data as never, errorMessage: undefined }
}

async function closeServer({ client, transport }: OpenServer): Promise<void> {
  if ('terminateSession' in transport) {
    const goodbye = transport.terminateSession()
    await withinTime(goodbyeMs, goodbye, () => undefined).catch(() => {})
  }
  await client.close().catch(() => {})
}
