import { objectOf } from '../../network/json.ts'
import type { CastConnection } from './cast-connection.ts'
import { type CastMessage, namespaces } from './cast-message.ts'
import type { App } from './receiver.ts'

/** What the default media receiver does with one address that it was given. */
export interface MediaStatus {
  mediaSessionId: number
  /** `IDLE`, `BUFFERING`, `PLAYING` or `PAUSED`. */
  state: string
  /** `FINISHED`, `CANCELLED`, `INTERRUPTED` or `ERROR`. Empty unless idle, and while it begins. */
  idleReason: string
  /** What the device was given. Absent where it does not repeat that. */
  media: Readonly<Record<string, unknown>> | undefined
  currentTime: number
}

/** @returns none if a message is about something else. */
export function mediaStatusesIn(payload: CastMessage['payload']): MediaStatus[] {
  const { type, status } = payload
  if (type !== 'MEDIA_STATUS' || !Array.isArray(status)) return []
  return status.slice(0, 10).flatMap((each) => {
    const { mediaSessionId, playerState, idleReason, media, currentTime } = objectOf(each)
    if (typeof mediaSessionId !== 'number') return []
    return {
      mediaSessionId,
      state: textOf(playerState),
      idleReason: textOf(idleReason),
      media: media ? objectOf(media) : undefined,
      currentTime: typeof currentTime === 'number' && currentTime > 0 ? currentTime : 0,
    }
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : ''
}

/** @returns what the default media receiver was given before, and has not ended; undefined if there is nothing. */
export async function readMusic(
  connection: CastConnection,
  { transportId }: App,
): Promise<MediaStatus | undefined> {
  const request = { type: 'GET_STATUS' }
  const [status] = mediaStatusesIn(await connection.request(transportId, namespaces.media, request))
  return status?.media && status.state !== 'IDLE' ? status : undefined
}

/** Plays music on from where it was, or shows it paused. */
export async function resumeMusic(
  connection: CastConnection,
  { transportId, sessionId }: App,
  { media, currentTime, state }: MediaStatus,
): Promise<void> {
  const isLive = media?.['streamType'] === 'LIVE'
  connection.join(transportId)
  await connection.request(transportId, namespaces.media, {
    type: 'LOAD',
    sessionId,
    media,
    autoplay: state !== 'PAUSED',
    ...(!isLive && { currentTime }),
  })
}
