import { ConnectionError } from '@parlando/core/errors'
import { NodeInputError, reasonOf } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import { TooLargeError } from './message-limit.ts'
import type { McpSettings, McpTransport } from './open-transport.ts'

export interface McpFailuresOptions extends McpSettings {
  RED: Texts
  serverName: string
}

/** How long a server may take, and the text that says that it took longer. */
export interface McpLimit {
  ms: number
  text: 'start-timeout' | 'list-timeout' | 'timeout'
}

const maxReasonCharacters = 300
const keptOutputCharacters = 2000

/** Explains why a connection to an MCP server failed. */
export class McpFailures {
  readonly #options: McpFailuresOptions
  /** The end of what the program has written about itself. */
  #output = ''
  /** Why the connection to the program was closed. */
  #excess: Error | undefined
  /** Replaces the key in a text. */
  redact = (text: string): string => text

  constructor(options: McpFailuresOptions) {
    this.#options = options
  }

  /** Called for each connection. Reads what a program writes about itself: the reason of its end is part of it. */
  async listen(transport: McpTransport): Promise<void> {
    this.#output = ''
    this.#excess = undefined
    const { createRedactor } = await import('@parlando/core/wire')
    this.redact = createRedactor([this.#options.key])
    if (!('stderr' in transport)) return
    transport.onerror = (error) => {
      if (error instanceof TooLargeError) this.#excess = error
    }
    transport.stderr?.on('data', (data: Buffer) => {
      this.#output = (this.#output + data.toString()).slice(-keptOutputCharacters)
    })
  }

  /** @returns an error that says what to do, for any error of the library. @param limit of what has failed. */
  explain(error: unknown, limit: McpLimit): Error {
    // One of a connection was explained with the limit of the connection.
    if (error instanceof NodeInputError || error instanceof ConnectionError) return error
    const { RED, serverName, kind, command } = this.#options
    const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown }
    const say = (key: string, values = {}) =>
      RED._(`mcp-server.error.${key}`, { server: serverName, ...values })
    const fail = (message: string, retryable = true) =>
      new ConnectionError(message, { code: 'NOT_REACHABLE', retryable })
    if (code === 'REQUEST_TIMEOUT') {
      return fail(say(limit.text, { seconds: Math.round(limit.ms / 1000) }))
    }
    if (status === 401 || status === 403) return fail(say('key', { status }), false)
    if (code === 'ENOENT') return fail(say('no-program', { command }), false)
    const lastLine = this.#output.trim().split('\n').at(-1) ?? ''
    if (kind === 'program' && isClosed(code) && !this.#excess) {
      return fail(say('ended', { reason: this.#shorten(lastLine) }))
    }
    return fail(
      say('failed', { reason: this.#shorten(reasonOf(this.#excess ?? rootCause(error))) }),
    )
  }

  #shorten(reason: string): string {
    return this.redact(reason)
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .slice(0, maxReasonCharacters)
  }
}

/** Finds the first cause: of a server that is away, the library only says that a probe has failed, because a fetch has failed. */
function rootCause(error: unknown): unknown {
  let root = error
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause; depth++) root = root.cause
  return root
}

/** Whether an HTTP server no longer knows the session, which it then says before it does anything. */
export function isSessionLost(error: unknown): boolean {
  const { status, message } = (error ?? {}) as { status?: unknown; message?: unknown }
  // The protocol demands 404. Servers that follow its first examples respond with 400.
  return status === 404 || (status === 400 && /session/i.test(String(message)))
}

function isClosed(code: unknown): boolean {
  return code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED'
}
