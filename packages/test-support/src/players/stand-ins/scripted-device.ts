import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server that takes the place of a device, for what no real one does. */
export interface ScriptedDevice {
  address: string
  /** The bytes that it has received so far. */
  received(): string
  close(): Promise<void>
}

/** @param onConnection what it does with each connection. Default: it says nothing. */
export async function startScriptedDevice(
  onConnection: (socket: Socket) => void = () => {},
): Promise<ScriptedDevice> {
  const sockets = new Set<Socket>()
  let received = ''
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
