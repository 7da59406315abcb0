import { deviceError } from '../../network/device.ts'
import { objectOf } from '../../network/json.ts'
import { type CastConnection, receiver } from './cast-connection.ts'
import { type CastMessage, namespaces } from './cast-message.ts'

/** The application that plays an address, and that every device has: the default media receiver. */
const defaultReceiver = 'CC1AD845'
/** A device that was off starts, or switches a television on. */
const launchLimits = 4
const maxIdCharacters = 200

/** The default media receiver while it runs. */
export interface App {
  sessionId: string
  /** Its name in messages. */
  transportId: string
}

/** What the driver reads of the status of a device. */
export interface ReceiverStatus {
  /** Absent while another application runs, or none. */
  app: App | undefined
  /** 0 to 1. Absent where it is fixed, as on some televisions. */
  volume: number | undefined
}

/** @throws {SpeakerError} when what responds is not a Cast device. */
export async function readStatus(connection: CastConnection): Promise<ReceiverStatus> {
  const response = await connection.request(receiver, namespaces.receiver, { type: 'GET_STATUS' })
  const status = statusIn(response)
  if (!status) throw deviceError(connection.device, 'other-protocol')
  return status
}

/** @returns undefined if a message is about something else. */
export function statusIn(payload: CastMessage['payload']): ReceiverStatus | undefined {
  if (payload['type'] !== 'RECEIVER_STATUS') return undefined
  const { applications, volume } = objectOf(payload['status'])
  const { level, controlType } = objectOf(volume)
  const hasVolume = typeof level === 'number' && level >= 0 && level <= 1 && controlType !== 'fixed'
  const apps = Array.isArray(applications) ? applications.slice(0, 10).map(objectOf) : []
  const app = apps.find(({ appId }) => appId === defaultReceiver)
  return { app: app && appOf(app), volume: hasVolume ? level : undefined }
}

function appOf({ sessionId, transportId }: Readonly<Record<string, unknown>>): App | undefined {
  const isId = (id: unknown): id is string =>
    typeof id === 'string' && id !== '' && id.length <= maxIdCharacters
  return isId(sessionId) && isId(transportId) ? { sessionId, transportId } : undefined
}

/**
 * Starts the default media receiver, which ends any other application.
 * @throws {SpeakerError} when the device rejects that, or takes too long.
 */
export function launch(connection: CastConnection): Promise<App> {
  const { device } = connection
  const request = { type: 'LAUNCH', appId: defaultReceiver }
  const id = connection.send(receiver, namespaces.receiver, request)
  return connection.until(({ payload }) => {
    const { type, requestId, reason } = payload
    if (requestId === id && (type === 'LAUNCH_ERROR' || type === 'INVALID_REQUEST'))
      throw deviceError(device, 'rejected', String(reason ?? type))
    return statusIn(payload)?.app
  }, launchLimits * device.responseMs)
}

/** Ends the default media receiver, and what it plays. */
export async function stopApp(connection: CastConnection, { sessionId }: App): Promise<void> {
  await connection.request(receiver, namespaces.receiver, { type: 'STOP', sessionId })
}

export async function setVolume(connection: CastConnection, level: number): Promise<void> {
  const request = { type: 'SET_VOLUME', volume: { level } }
  await connection.request(receiver, namespaces.receiver, request)
}
