import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import { type Device, deviceError } from './device.ts'

/**
 * Connects to a device. Errors after that only close the socket.
 * @throws {SpeakerError} when nothing accepts the connection; the reason of the signal after an abort.
 */
export async function openSocket(device: Device, signal: AbortSignal): Promise<Socket> {
  const socket = connect(device.address).setNoDelay()
  socket.on('error', () => {})
  const connected = once(socket, 'connect').catch((error) => {
    throw deviceError(device, 'unreachable', error.code)
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
