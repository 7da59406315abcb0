import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { FlowEvent } from './flow-event.ts'

/** The resources of a process after a garbage collection. */
export interface Held {
  heapBytes: number
  /** Of Buffers. */
  bufferBytes: number
  rssBytes: number
  sockets: number
  children: number
  threads: number
}

/** Talks to `witness.js` in every process of the soak. */
export interface Channel {
  /** @returns `undefined` if no such process runs or it exits meanwhile. */
  held(role: string): Promise<Held | undefined>
  /** @returns how many there were. */
  killThreads(role: string): Promise<number | undefined>
  /** Sends a message to a node in Node-RED. @returns false if the node does not exist at the moment. */
  receive(node: string, message: object): Promise<boolean>
  /** The running processes of a role. */
  pids(role: string): number[]
  /** Of all processes that still run. */
  roles(): string[]
  close(): void
}

interface Process {
  role: string
  pid: number
  ask(order: string, values?: object): Promise<unknown>
}

/** @param path of the Unix socket. */
export async function openChannel(
  path: string,
  onEvent: (event: FlowEvent) => void,
): Promise<Channel> {
  const processes = new Set<Process>()
  const server = createServer((socket) => {
    let process: Process | undefined
    const answers = createResponses(socket)
    const lines = createInterface({ input: socket })
    // A process that was killed resets the connection.
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const news = JSON.parse(line)
      if (news.event) onEvent(news.event)
      else if (news.hello) {
        process = { ...news.hello, ask: answers.ask } as Process
        processes.add(process)
      } else answers.settle(news.id, news.answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (process) processes.delete(process)
      answers.giveUp()
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))

  const ofRole = (role: string) => [...processes].filter((process) => process.role === role)
  const ask = async (role: string, order: string, values?: object) =>
    ofRole(role).at(-1)?.ask(order, values)
  return {
    held: (role) => ask(role, 'held') as Promise<Held | undefined>,
    killThreads: (role) => ask(role, 'killThreads') as Promise<number | undefined>,
    receive: async (node, message) => Boolean(await ask('node-red', 'receive', { node, message })),
    pids: (role) => ofRole(role).map(({ pid }) => pid),
    roles: () => [...processes].map(({ role }) => role),
    close: () => server.close(),
  }
}

function createResponses(socket: Socket) {
  const waiting = new Map<number, (answer: unknown) => void>()
  let lastId = 0
  const settle = (id: number, answer: unknown) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }
  return {
    ask(order: string, values?: object): Promise<unknown> {
      const id = ++lastId
      socket.write(`${JSON.stringify({ id, order, ...values })}\n`)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    settle,
    giveUp() {
      for (const id of waiting.keys()) settle(id, undefined)
    },
  }
}
