import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { abortableDelay } from '../../../runtime/wait.ts'
import { readFrames } from './frames.ts'
import { isHello, SlimPlayer } from './player.ts'

const maxConnections = 50
/** A connection that does not say who it is. */
const helloMs = 10_000
/** Players look for their server every five seconds. */
const connectMs = 7_000
/** Players say their names after they have connected, and some have none. */
const nameMs = 1_000
const pollMs = 50

/** The server that the players of a house connect to. */
export class SlimServer {
  readonly #server: Server
  readonly #players = new Map<string, SlimPlayer>()
  readonly #sockets = new Set<Socket>()
  readonly #startedAt = performance.now()

  private constructor(server: Server) {
    this.#server = server
    server.maxConnections = maxConnections
    server.on('connection', (socket) => this.#accept(socket))
  }

  /** @param host The interface to listen on; empty: all. @throws what `listen` throws, such as EADDRINUSE. */
  static async listen(host: string, port: number): Promise<SlimServer> {
    const server = createServer()
    server.listen({ port, ...(host !== '' && { host }) })
    await once(server, 'listening')
    // Later errors concern single connections.
    server.on('error', () => {})
    return new SlimServer(server)
  }

  get players(): readonly SlimPlayer[] {
    return [...this.#players.values()]
  }

  /**
   * Finds a player by its name or MAC address; an empty text means the only one. Just after the start of the server, and of a
   * player, it waits for it. @returns undefined if it is not connected. @throws the reason of the signal.
   */
  async find(wanted: string, signal: AbortSignal): Promise<SlimPlayer | undefined> {
    for (;;) {
      const found = this.#find(wanted.trim().toLowerCase())
      const now = performance.now()
      const isNew = ({ name, connectedAt }: SlimPlayer) => name === '' && now - connectedAt < nameMs
      const isStarting = now - this.#startedAt < connectMs || this.players.some(isNew)
      if (found || !isStarting) return found
      await abortableDelay(pollMs, signal)
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #find(wanted: string): SlimPlayer | undefined {
    const { players } = this
    if (wanted === '') return players.length === 1 ? players[0] : undefined
    return players.find(({ id, name }) => [id, name.toLowerCase()].includes(wanted))
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    void this.#serve(socket)
      .catch(() => {})
      .finally(() => socket.destroy())
  }

  async #serve(socket: Socket): Promise<void> {
    const patience = setTimeout(() => socket.destroy(), helloMs)
    let player: SlimPlayer | undefined
    try {
      for await (const frame of readFrames(socket)) {
        if (player) player.receive(frame)
        else if (!isHello(frame)) return
        else {
          clearTimeout(patience)
          player = new SlimPlayer(socket, frame.payload)
          // It has connected again.
          this.#players.get(player.id)?.disconnect()
          this.#players.set(player.id, player)
        }
      }
    } finally {
      clearTimeout(patience)
      if (player && this.#players.get(player.id) === player) this.#players.delete(player.id)
    }
  }
}
