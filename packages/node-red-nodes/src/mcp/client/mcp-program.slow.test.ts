import { connectMcp, untilTheEnd } from '@parlando/test-support/mcp/connection'
import { mcpCommand } from '@parlando/test-support/mcp/server'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const program = { kind: 'program', command: mcpCommand } as const

describe('a program', () => {
  it('that ends is started again with the next call', async () => {
    const { call } = connectMcp(program)
    await expect(call('ending')).rejects.toThrow(
      /mcp-server\.error\.ended.*The test server has started/,
    )
    expect(await call('echo', { text: 'again' })).toBe('Echo: again')
  })

  it('receives its variables with the key, and none of Node-RED', async () => {
    vi.stubEnv('PARLANDO_OF_NODE_RED', 'yes')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { connection, call } = connectMcp({
      ...program,
      variables: 'TOKEN={key}\nPLACE = the hall',
      key: keys.upstream.replaceAll(/["\\]/g, ''),
    })
    const environment = await call('environment')
    expect(environment).toContain('"PLACE":"the hall"')
    expect(environment).not.toContain('PARLANDO_OF_NODE_RED')
    expect(environment).toContain('"TOKEN":"sk-')
    expect(connection.redact(environment)).toContain('"TOKEN":"***"')
  })

  it('that does not exist is named in the error', async () => {
    const { connection } = connectMcp({ kind: 'program', command: 'no-such-program --now' })
    await expect(connection.listTools(untilTheEnd)).rejects.toThrow(
      /mcp-server\.error\.no-program.*no-such-program/,
    )
  })

  it('that is no MCP server fails with what it has written', async () => {
    const command = `"${process.execPath}" -e "console.error('I need a file'); process.exit(1)"`
    const { connection } = connectMcp({ kind: 'program', command })
    await expect(connection.listTools(untilTheEnd)).rejects.toThrow(/ended.*I need a file/)
  })

  it('that sends too many values in a message is ended, and the error says so', async () => {
    const script = "process.stdin.once('data', () => console.log('[' + '1,'.repeat(20_000) + '1]'))"
    const command = `"${process.execPath}" -e "${script}"`
    const { connection } = connectMcp({ kind: 'program', command })
    await expect(connection.listTools(untilTheEnd)).rejects.toThrow(
      /mcp-server\.error\.failed.*more than 15000 values/,
    )
  })

  it('ends with the connection', async () => {
    const { connection, call } = connectMcp(program)
    const { pid } = JSON.parse(await call('process'))
    await connection.close()
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})
