import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import { SpeakerError } from '../speaker-error.ts'
import { type Device, deviceError, isOtherProtocol } from './device.ts'

/** Descriptions of real devices have up to 20 kB. */
const maxResponseBytes = 256 * 1024

export interface DeviceResponse {
  status: number
  text: string
}

export interface DeviceRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal?: AbortSignal
}

/**
 * Sends a request to a device. With https, the certificate is accepted that the device made itself: nothing proves who it is, and
 * it may receive no secret. A redirect is not followed.
 * @throws {SpeakerError} when it does not respond in time, or with too much; the reason of the signal.
 */
export async function requestDevice(
  device: Device,
  url: URL,
  { body, signal, ...options }: DeviceRequest,
): Promise<DeviceResponse> {
  // Without an agent: devices close connections that wait for a second request.
  const sending =
    url.protocol === 'https:'
      ? requestEncrypted(url, { ...options, agent: false, rejectUnauthorized: false })
      : requestPlain(url, { ...options, agent: false })
  sending.on('error', () => {})
  const respond = async () => {
    const [response] = await once(sending.end(body), 'response')
    const { statusCode = 0 } = response as IncomingMessage
    return { status: statusCode, text: await readBody(device, response) }
  }
  const noResponse = () => deviceError(device, 'no-response')
  const responded = withinTime(device.responseMs, respond(), noResponse)
  try {
    return await (signal ? unlessAborted(responded, signal) : responded)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SpeakerError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw deviceError(device, isOtherProtocol(code) ? 'other-protocol' : 'unreachable', code)
  } finally {
    sending.destroy()
  }
}

async function readBody(device: Device, response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxResponseBytes) throw deviceError(device, 'other-protocol')
  }
  return Buffer.concat(chunks).toString()
}
