import { once } from 'node:events'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { unlessAborted, withinTime } from '../../runtime/wait.ts'
import { SpeakerError } from '../speaker-error.ts'
import { type Device, deviceError, isOtherProtocol } from './device.ts'

/** Descriptions of real devices have up to 20 kB. */
const maxResponseBytes = 256 * 1024

/** Devices say with 500 what went wrong. Others may never end what they say. */
const readStatuses = [200, 500]

export interface DeviceResponse {
  status: number
  /** Empty for another status than 200 and 500. */
  text: string
}

export interface DeviceRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal?: AbortSignal
  /**
   * With https, the device must prove who it is, because it receives a secret. Default: a certificate is accepted that the device
   * made itself.
   */
  isVerified?: boolean
}

/**
 * Sends a request to a device. A redirect is not followed.
 * @throws {SpeakerError} when it does not respond in time, or with too much; the reason of the signal.
 */
export async function requestDevice(
  device: Device,
  url: URL,
  { body, signal, isVerified = false, ...options }: DeviceRequest,
): Promise<DeviceResponse> {
  // Without an agent: devices close connections that wait for a second request.
  const sending =
    url.protocol === 'https:'
      ? requestEncrypted(url, { ...options, agent: false, rejectUnauthorized: isVerified })
      : requestPlain(url, { ...options, agent: false })
  sending.on('error', () => {})
  const respond = async () => {
    const [response] = await once(sending.end(body), 'response')
    const { statusCode: status = 0 } = response as IncomingMessage
    return { status, text: readStatuses.includes(status) ? await readBody(device, response) : '' }
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
