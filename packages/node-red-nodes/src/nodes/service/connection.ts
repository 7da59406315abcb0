import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Client, type ClientOptions, createClient } from '@parlando/core'
import type { LocalService } from '@parlando/local-service'

/** A client, and the service behind it where it is ours. */
export interface Connection {
  client: Client
  service?: LocalService
}

/** Limits as the form has them: numbers, often as text; empty: the client's own. */
export interface LimitSettings {
  /** Longest wait for the first byte of an answer. */
  timeoutSeconds?: string | number
  retries?: string | number
  /** Requests at a time. */
  concurrent?: string | number
}

export interface DeviceOptions {
  /** Node-RED's user folder; cloned voices are kept in it. */
  userFolder: string
  limits: LimitSettings
  signal: AbortSignal
  /** Called when the service ends without having been told to. */
  onExit(reason: string): void
}

/** Starts a service of its own on this device. */
export async function connectDevice(options: DeviceOptions): Promise<Connection> {
  // Loaded late, so that flows that only use a hosted service never pay for it.
  const { startLocalServiceProcess } = await import('@parlando/local-service')
  const apiKey = randomBytes(24).toString('base64url')
  const service = await startLocalServiceProcess({
    apiKey,
    dataFolder: join(options.userFolder, 'parlando'),
    signal: options.signal,
    onExit: options.onExit,
  })
  const client = createClient({ baseUrl: service.baseUrl, apiKey, ...toOptions(options.limits) })
  return { client, service }
}

/** @throws {InputError} for an address or a limit that is none. */
export function connectHosted(
  address: { baseUrl: string; apiKey: string },
  limits: LimitSettings,
): Connection {
  const { baseUrl, apiKey } = address
  return {
    client: createClient({ baseUrl: baseUrl.trim(), apiKey: apiKey.trim(), ...toOptions(limits) }),
  }
}

export async function closeConnection(connection: Connection | undefined): Promise<void> {
  await Promise.all([connection?.client.close(), connection?.service?.close()])
}

function toOptions(limits: LimitSettings): Partial<ClientOptions> {
  const timeoutSeconds = toNumber(limits.timeoutSeconds)
  return {
    firstByteTimeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    retries: toNumber(limits.retries),
    maxConcurrent: toNumber(limits.concurrent),
  }
}

function toNumber(value: string | number | undefined): number | undefined {
  return value === undefined || value === '' ? undefined : Number(value)
}
