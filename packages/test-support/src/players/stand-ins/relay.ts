import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  /** Such as `127.0.0.1:40123`. */
  address: string
  /** Cuts all connections; it accepts new ones. */
  cut(): void
  close(): void
}

/** Passes on connections to a device, and can cut them while the device runs on. @param address Such as `127.0.0.1:6600`. */
export async function startRelay(address: string): Promise<Relay> {
  const [host, port] = address.split(':')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const device = connect(Number(port), host)
    for (const one of [socket, device]) sockets.add(one.on('error', () => {}))
    socket.pipe(device).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close() {
      server.close()
      cut()
    },
  }
}
