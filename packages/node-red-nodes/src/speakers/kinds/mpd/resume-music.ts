import type { MpdConnection } from './mpd-connection.ts'
import { type MpdStatus, modes, readStatus } from './mpd-status.ts'

export interface InterruptedMusic {
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
  { before, id, volume }: InterruptedMusic,
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
  const isOurVolume = now.volume === volume && before.volume !== undefined
  const finalVolume = isOurVolume ? before.volume : now.volume
  if (finalVolume !== now.volume) await connection.attempt(`setvol ${finalVolume}`)
  if (!isTakenOver && before.songId !== undefined) await returnTo(connection, before, finalVolume)
}

/** Also a song that was paused or stopped becomes the present one again, which only a start does. */
async function returnTo(
  connection: MpdConnection,
  { songId, elapsedSeconds, isSeekable, state }: MpdStatus,
  volume: number | undefined,
): Promise<void> {
  const hasPosition = isSeekable && state !== 'stop'
  const start = hasPosition ? `seekid ${songId} ${elapsedSeconds}` : `playid ${songId}`
  if (state === 'play') return connection.attempt(start)
  const end = state === 'pause' ? 'pause 1' : 'stop'
  if (volume === undefined) return connection.attempt(start, end)
  const loud = `setvol ${volume}`
  // As one command: MPD must not stay silent if the connection is lost.
  await connection.attempt('setvol 0', start, end, loud)
  // A command that is rejected ends the others.
  await connection.attempt(loud)
}
