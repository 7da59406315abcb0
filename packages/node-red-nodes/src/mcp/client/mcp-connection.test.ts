import { Server } from '@modelcontextprotocol/server'
import { connectMcp, untilTheEnd } from '@parlando/test-support/mcp/connection'
import { mcpCommand, startMcpServer } from '@parlando/test-support/mcp/server'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { McpSettings } from './open-transport.ts'

const places = {
  'a program': async () => ({ kind: 'program', command: mcpCommand }) as const,
  'an address': async () => ({ address: (await startMcpServer()).baseUrl }),
}

describe.each(Object.entries(places))('an MCP server: %s', (_name, place) => {
  it('lists its tools, and its tools respond', async () => {
    const { connection, call } = connectMcp(await place())
    const tools = await connection.listTools(untilTheEnd)
    expect(tools.map(({ name }) => name)).toContain('weather.today')
    expect(await call('echo', { text: 'Hello' })).toBe('Echo: Hello')
    expect(await call('failing')).toBe('The tool reports an error: no power')
    expect(await call('echo', {})).toMatch(/^The tool reports an error: /)
  })

  it('has a limited time for a call', async () => {
    const { call } = connectMcp({ ...(await place()), timeoutMs: 1000 })
    await expect(call('waiting')).rejects.toMatchObject({
      code: 'NOT_REACHABLE',
      message: 'mcp-server.error.timeout {"server":"test","seconds":1}',
    })
    // A busy machine can need longer than the limit of this test.
    const again = () => call('echo', { text: 'again' }).catch(() => undefined)
    await expect.poll(again).toBe('Echo: again')
  })

  it('is left at once when a call is aborted', async () => {
    const { call } = connectMcp(await place())
    await call('echo', { text: 'first' })
    const abort = new AbortController()
    const reason = new Error('stopped')
    const calling = call('waiting', {}, abort.signal)
    abort.abort(reason)
    await expect(calling).rejects.toBe(reason)
  })
})

describe('a server that does not respond in time', () => {
  /** @returns what the user reads when a server lets this time pass. @param start calls back when the server was asked. */
  async function failureAfter(
    ms: number,
    start: (noteAsked: () => void) => Promise<Partial<McpSettings>>,
  ) {
    let noteAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      noteAsked = resolve
    })
    const { connection } = connectMcp({ ...(await start(noteAsked)), timeoutMs: 30_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const failed = connection.listTools(untilTheEnd).catch((error: Error) => error.message)
    await asked
    vi.advanceTimersByTime(ms)
    return failed
  }

  it('to the connection', async () => {
    const failure = await failureAfter(15_000, async (noteAsked) => {
      const { baseUrl } = await startTestServer(noteAsked)
      return { address: baseUrl }
    })
    expect(failure).toBe('mcp-server.error.start-timeout {"server":"test","seconds":15}')
  })

  it('as a program, which may have to be downloaded first', async () => {
    const failure = await failureAfter(60_000, async (noteAsked) => {
      const { baseUrl } = await startTestServer((response) => {
        noteAsked()
        response.end()
      })
      const script = `process.stdin.once('data', () => fetch('${baseUrl}'))`
      return { kind: 'program', command: `"${process.execPath}" -e "${script}"` }
    })
    expect(failure).toBe('mcp-server.error.start-timeout {"server":"test","seconds":60}')
  })

  it('with its tools', async () => {
    const failure = await failureAfter(15_000, async (noteAsked) => {
      const { baseUrl } = await startMcpServer(undefined, () => {
        const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
        server.setRequestHandler('tools/list', () => {
          noteAsked()
          return new Promise(() => {})
        })
        return server
      })
      return { address: baseUrl }
    })
    expect(failure).toBe('mcp-server.error.list-timeout {"server":"test","seconds":15}')
  })
})

describe('a server at an address', () => {
  it('receives the key in a header, and rejects a wrong one', async () => {
    const { baseUrl } = await startMcpServer(keys.service)
    const { call } = connectMcp({ address: baseUrl, key: keys.service })
    expect(await call('echo', { text: 'Hello' })).toBe('Echo: Hello')
    const wrong = connectMcp({ address: baseUrl, key: keys.wrong })
    const error = await wrong.call('echo', { text: 'Hello' }).catch((thrown) => thrown)
    expect(error.message).toContain('mcp-server.error.key')
    expect(error.message).not.toContain(keys.wrong)
  })

  it('that is away is an error that can be retried', async () => {
    const { connection } = connectMcp({ address: unreachableUrl })
    await expect(connection.listTools(untilTheEnd)).rejects.toMatchObject({
      code: 'NOT_REACHABLE',
      retryable: true,
      message: expect.stringMatching(/mcp-server\.error\.failed.*ECONNREFUSED/),
    })
  })

  it('cannot send more than the limit', async () => {
    const { baseUrl } = await startTestServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('"')
      const more = Buffer.alloc(1024 * 1024, 'a')
      const write = () => {
        while (response.write(more));
        response.once('drain', write)
      }
      write()
    })
    const { connection } = connectMcp({ address: baseUrl })
    await expect(connection.listTools(untilTheEnd)).rejects.toThrow(/larger than/)
  })

  it.each(['not an address', 'http://192.0.2.1/?key=1', 'http://mcp.example/'])(
    'needs a valid address: %s',
    async (address) => {
      const { connection } = connectMcp({ address })
      await expect(connection.listTools(untilTheEnd)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
    },
  )

  it('has a key that fits into a header', async () => {
    const { connection } = connectMcp({ address: unreachableUrl, key: 'two words' })
    const error = await connection.listTools(untilTheEnd).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(error.message).not.toContain('two words')
  })
})
