import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectMcp, untilTheEnd } from '@parlando/test-support/mcp/connection'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemsCache, usePythonEnvironment } from './python/python-environment.ts'

const everything = join(systemsCache, 'mcp-everything')
const everythingProgram = join(everything, 'node_modules/.bin/mcp-server-everything')
const pythonServer = fileURLToPath(new URL('python/mcp_server.py', import.meta.url))
const running: ChildProcess[] = []

/** Starts a server, and waits until it listens. */
async function startServer(command: string[], port: number): Promise<void> {
  const [program, ...args] = command
  const child = spawn(program!, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  running.push(child)
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${program} has ended`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

describe('the everything server of the MCP project', () => {
  beforeAll(() => {
    if (existsSync(everythingProgram)) return
    const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', everything]
    execFileSync('npm', [...install, '@modelcontextprotocol/server-everything'])
  }, 300_000)

  const useTools = async ({ connection, call }: ReturnType<typeof connectMcp>) => {
    const tools = await connection.listTools(untilTheEnd)
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']))
    expect(await call('echo', { message: 'Hello' })).toBe('Echo: Hello')
    expect(await call('get-sum', { a: 2, b: 3 })).toContain('5')
    expect(await call('get-tiny-image')).toContain('(image, image/png)')
    const weather = await call('get-structured-content', { location: 'Chicago' })
    expect(weather).toContain('temperature')
    const slow = { duration: 2, steps: 4 }
    expect(await call('trigger-long-running-operation', slow)).toContain('completed')
  }

  it('is a program whose tools respond', async () => {
    const command = `"${process.execPath}" "${everythingProgram}" stdio`
    await useTools(connectMcp({ kind: 'program', command }))
  })

  it('has tools at an address that respond, also after it was started again', async () => {
    const port = await freePort()
    const command = [process.execPath, everythingProgram, 'streamableHttp']
    await startServer(command, port)
    const server = connectMcp({ address: `http://127.0.0.1:${port}/mcp` })
    await useTools(server)
    const old = running.pop()!
    const hasEnded = new Promise((resolve) => old.once('exit', resolve))
    old.kill('SIGKILL')
    await hasEnded
    await startServer(command, port)
    expect(await server.call('echo', { message: 'again' })).toBe('Echo: again')
  })
})

describe('a server of the Python package mcp', () => {
  let python: string
  beforeAll(() => {
    const install = (pip: (...args: string[]) => void) => pip('mcp')
    python = join(usePythonEnvironment('mcp', { minVersion: 10, install }), 'python')
  }, 300_000)

  const useTools = async ({ connection, call }: ReturnType<typeof connectMcp>) => {
    const tools = await connection.listTools(untilTheEnd)
    expect(tools).toMatchObject([{ name: 'add', description: 'Adds two numbers.' }, {}, {}])
    expect(await call('add', { a: 2, b: 3 })).toBe('5')
    expect(await call('fail')).toMatch(/^The tool reports an error: .*fail/)
    expect(await call('add', { a: 'two' })).toMatch(/^The tool reports an error: /)
  }

  it('is a program whose tools respond, and which is started again', async () => {
    const command = `"${python}" "${pythonServer}" stdio 0`
    const server = connectMcp({ kind: 'program', command })
    await useTools(server)
    await expect(server.call('stop')).rejects.toThrow('mcp-server.error.ended')
    expect(await server.call('add', { a: 1, b: 1 })).toBe('2')
  })

  it('has tools at an address that respond', async () => {
    const port = await freePort()
    await startServer([python, pythonServer, 'streamable-http', String(port)], port)
    await useTools(connectMcp({ address: `http://127.0.0.1:${port}/mcp` }))
  })
})
