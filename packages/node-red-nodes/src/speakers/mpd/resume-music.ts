import type { MpdConnection } from './mpd-connection.ts'
import { type MpdStatus, modes, readStatus } from './mpd-status.ts'

export interface Interruption {
  /** What MPD did before. */
  before: MpdStatus
  /** The id of the song that interrupted it. */
  id: string
  /** The volume of that song. */
  volume: number | undefined
}

/**
 * Ends the song that interrupted the music, and lets MPD do what it did before. What somebody has changed meanwhile stays.
 * @throws {SpeakerError} when the connection is lost.
 */
export async function resumeMusic(
  connection: MpdConnection,
  { before, id, volume }: Interruption,
): Promise<void> {
  const now = readStatus(await connection.run('status'))
  const isTakenOver = now.state === 'play' && now.songId !== id
  // Silence first.
  if (!isTakenOver) await connection.attempt('stop')
  await connection.attempt(`deleteid ${id}`)
  const ours = { single: '1', repeat: '0', consume: '0' }
  for (const mode of modes) {
    if (now.modes[mode] === ours[mode]) await connection.attempt(`${mode} ${before.modes[mode]}`)
  }
  if (now.volume === volume && before.volume !== undefined && volume !== before.volume) {
    await connection.attempt(`setvol ${before.volume}`)
  }
  if (!isTakenOver && before.songId !== undefined) await returnTo(connection, before)
}

/** Also a song that was paused or stopped becomes the present one again, which only a start does. */
async function returnTo(connection: MpdConnection, before: MpdStatus): Promise<void> {
  const { songId, elapsedSeconds, isSeekable, state, volume } = before
  const hasPosition = isSeekable && state !== 'stop'
  const start = hasPosition ? `seekid ${songId} ${elapsedSeconds}` : `playid ${songId}`
  if (state === 'play') return connection.attempt(start)
  const end = state === 'pause' ? 'pause 1' : 'stop'
  if (volume !== undefined) await connection.attempt('setvol 0')
  await connection.attempt(start, end)
  if (volume !== undefined) await connection.attempt(`setvol ${volume}`)
}
