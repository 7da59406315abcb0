import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startPulse } from '@parlando/test-support/audio/pulse'
import express from 'express'
import type { NodeAPI } from 'node-red'
import type { Driver } from '../driver.ts'
import type { DriverCase } from '../driver-case.ts'
import type { BrowserCommand, BrowserEvent } from './commands.ts'

/** The part of Node-RED that the drivers of browsers use, on a server of its own. */
export interface BrowserServer {
  RED: NodeAPI
  baseUrl: string
  /** Called with each command to the editors. */
  onEditorCommand(command: BrowserCommand): void
}

/** How a kind of browser loudspeaker is reached. */
export interface BrowserKind {
  createDriver(server: BrowserServer): Driver
  /** A driver without a browser. */
  createBroken(server: BrowserServer): Driver
  /** The path of its routes. */
  path: string
  /** Connects a browser, which then receives the commands until the signal aborts. */
  connect(
    server: BrowserServer,
    onCommand: (command: BrowserCommand) => void,
    signal: AbortSignal,
  ): Promise<void>
}

/** Speaks the protocol of the browsers, and plays what it receives on the recorded sound device. */
export async function createBrowserCase(kind: BrowserKind): Promise<DriverCase> {
  const pulse = await startPulse()
  const app = express()
  const http = app.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const server: BrowserServer = {
    baseUrl: `http://127.0.0.1:${port}`,
    onEditorCommand() {},
    RED: {
      httpNode: app,
      httpAdmin: app,
      auth: {
        needsPermission: () => (_request: unknown, _response: unknown, next: () => void) => next(),
      },
      comms: {
        publish: (_topic: string, command: BrowserCommand) => server.onEditorCommand(command),
      },
      settings: {},
      _: (key: string) => `${key}.`,
    } as unknown as NodeAPI,
  }
  const driver = kind.createDriver(server)
  const broken = kind.createBroken(server)

  const closing = new AbortController()
  const players = new Map<string, ChildProcess>()
  const call = (action: string, parameters: Record<string, string>, method = 'GET') => {
    const query = new URLSearchParams({ player: 'browser', ...parameters })
    return fetch(`${server.baseUrl}${kind.path}/${action}?${query}`, {
      method,
      signal: closing.signal,
    })
  }
  const report = async (id: string, event: BrowserEvent) => {
    const response = await call('report', { id, event }, 'POST')
    return (await response.json()) as { play: boolean }
  }
  const play = async (id: string) => {
    const { body } = await call('audio', { id })
    const player = spawn('pacat', ['--raw', '--rate=24000', '--channels=1', '--latency-msec=200'], {
      env: pulse.environment,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    players.set(id, player)
    const exited = once(player, 'exit')
    await report(id, 'started')
    // A stop ends the player before the sound.
    await pipeline(Readable.fromWeb(body! as never), player.stdin!).catch(() => {})
    await exited
    players.delete(id)
    await report(id, 'ended')
  }
  const obey = async (command: BrowserCommand) => {
    if (command.type === 'stop') players.get(command.id)?.kill()
    else if ((await report(command.id, 'ready')).play) await play(command.id)
  }
  // After the end of the test, the server is gone.
  const onCommand = (command: BrowserCommand) => void obey(command).catch(() => {})
  await kind.connect(server, onCommand, closing.signal)

  return {
    driver,
    record: pulse.record,
    broken: { driver: broken, code: 'NO_PLAYER' },
    async close() {
      closing.abort()
      for (const player of players.values()) player.kill()
      http.closeAllConnections()
      http.close()
      await pulse.stop()
    },
  }
}
