import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A text message of a client in one frame. Its mask is zero, so that the bytes are those of the text. */
export function textFrame(text: string | Uint8Array): Buffer {
  const payload = Buffer.from(text)
  const isShort = payload.length < 126
  const head = Buffer.alloc(isShort ? 6 : 14)
  head.writeUInt8(0x81)
  head.writeUInt8(0x80 | (isShort ? payload.length : 127), 1)
  if (!isShort) head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

/** Many messages in one buffer, which costs the sender next to nothing. */
export function textFrames(text: string, count: number): Buffer {
  const frame = textFrame(text)
  return Buffer.alloc(frame.length * count, frame)
}

/**
 * Opens a WebSocket whose frames the test writes.
 * @returns the connection after the handshake. It reads nothing until the test wants it.
 */
export async function openRawWebSocket(baseUrl: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(socket, 'readable')
  const response = String(socket.read())
  if (!response.startsWith('HTTP/1.1 101')) throw new Error(response)
  return socket
}
