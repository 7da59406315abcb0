import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectEncrypted } from 'node:tls'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import { type Device, deviceError, isOtherProtocol } from './device.ts'

/**
 * Connects to a device. Errors after that only close the socket.
 * @throws {SpeakerError} when nothing accepts the connection; the reason of the signal after an abort.
 */
export function openSocket(device: Device, signal: AbortSignal): Promise<Socket> {
  return untilOpen(device, connect(device.address), 'connect', signal)
}

/**
 * The same with TLS, for a device that made its certificate itself. Nothing proves who it is: it may receive nothing secret but
 * the addresses of sounds.
 */
export function openEncryptedSocket(device: Device, signal: AbortSignal): Promise<Socket> {
  const socket = connectEncrypted({ ...device.address, rejectUnauthorized: false })
  return untilOpen(device, socket, 'secureConnect', signal)
}

async function untilOpen(
  device: Device,
  socket: Socket,
  event: string,
  signal: AbortSignal,
): Promise<Socket> {
  socket.setNoDelay()
  socket.on('error', () => {})
  const connected = once(socket, event).catch(({ code = '' }) => {
    throw deviceError(device, isOtherProtocol(code) ? 'other-protocol' : 'unreachable', code)
  })
  try {
    const noResponse = () => deviceError(device, 'no-response')
    await withinTime(device.responseMs, unlessAborted(connected, signal), noResponse)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
