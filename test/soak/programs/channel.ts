import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { FlowEvent } from '../messages/flow-event.ts'

/** The resources of a process after a garbage collection. */
export interface ResourceUsage {
  /** The objects of the program. */
  heapBytes: number
  /** What V8 has compiled. */
  codeBytes: number
  /** The memory of Buffers. */
  bufferBytes: number
  rssBytes: number
  sockets: number
  children: number
  threads: number
  timers: number
  /** Of the process, and in Node-RED also of its own events. */
  listeners: number
}

/** The connection to `observer.js` in every process of the soak. */
export interface Channel {
  /** @returns undefined if no process of this role runs, or if it exits first. */
  usage(role: string): Promise<ResourceUsage | undefined>
  /** @returns the number of threads. */
  killThreads(role: string): Promise<number | undefined>
  /** Sends a message to a node. @returns false if Node-RED has no such node at the moment. */
  receive(node: string, message: object): Promise<boolean>
  /** The running processes of a role. */
  pids(role: string): number[]
  /** The roles of all running processes. */
  roles(): string[]
  close(): void
}

interface Process {
  role: string
  pid: number
  ask(command: string, values?: object): Promise<unknown>
}

/** @param path The path of the Unix socket. */
export async function openChannel(
  path: string,
  onEvent: (event: FlowEvent) => void,
): Promise<Channel> {
  const processes = new Set<Process>()
  const server = createServer((socket) => {
    let process: Process | undefined
    const responses = createResponses(socket)
    const lines = createInterface({ input: socket })
    // A killed process resets the connection.
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const news = JSON.parse(line)
      if (news.event) onEvent(news.event)
      else if (news.hello) {
        process = { ...news.hello, ask: responses.ask } as Process
        processes.add(process)
      } else responses.settle(news.id, news.response)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (process) processes.delete(process)
      responses.giveUp()
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))

  const ofRole = (role: string) => [...processes].filter((process) => process.role === role)
  const ask = async (role: string, command: string, values?: object) =>
    ofRole(role).at(-1)?.ask(command, values)
  return {
    usage: (role) => ask(role, 'usage') as Promise<ResourceUsage | undefined>,
    killThreads: (role) => ask(role, 'killThreads') as Promise<number | undefined>,
    receive: async (node, message) => Boolean(await ask('node-red', 'receive', { node, message })),
    pids: (role) => ofRole(role).map(({ pid }) => pid),
    roles: () => [...processes].map(({ role }) => role),
    close: () => server.close(),
  }
}

function createResponses(socket: Socket) {
  const waiting = new Map<number, (response: unknown) => void>()
  let lastId = 0
  const settle = (id: number, response: unknown) => {
    waiting.get(id)?.(response)
    waiting.delete(id)
  }
  return {
    ask(command: string, values?: object): Promise<unknown> {
      const id = ++lastId
      socket.write(`${JSON.stringify({ id, command, ...values })}\n`)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    settle,
    giveUp() {
      for (const id of waiting.keys()) settle(id, undefined)
    },
  }
}
