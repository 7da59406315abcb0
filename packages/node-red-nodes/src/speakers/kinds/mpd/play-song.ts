import { abortableDelay } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { PublishedSound, SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { softerVolume } from '../../device-drivers/device-sound.ts'
import { checkWhole, type FetchProgress, watchFetch } from '../../device-drivers/fetch-progress.ts'
import { restore } from '../../device-drivers/restore.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { type Device, deviceError } from '../../network/device.ts'
import { fetchWithinMs, notFetched, SpeakerError } from '../../speaker-error.ts'
import { type MpdConnection, quoted } from './mpd-connection.ts'
import { idOf, type MpdStatus, readStatus } from './mpd-status.ts'
import { resumeMusic } from './resume-music.ts'

/** Until the song is heard, MPD reports no event that says so. */
const pollMs = 50
/** Mopidy names the song before for a moment. */
const beginMs = 1000

export interface SongCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  device: Device
  sounds: SoundStore
  /** The address of Node-RED as MPD sees it; empty: determined automatically. */
  address: string
  reconnect(): Promise<MpdConnection>
}

/**
 * Plays a sound as one more song of the queue. Afterwards, MPD has the queue, song, position, volume and modes that it had.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playSong(
  connection: MpdConnection,
  sound: Sound,
  call: SongCall,
): Promise<Played> {
  const published = call.sounds.publish(sound, { address: call.address })
  const progress = watchFetch(sound, published)
  try {
    const before = readStatus(await connection.run('status'))
    const id = await addSong(connection, published, call)
    const volume = softer(before.volume, call.volume, connection.isMopidy)
    try {
      call.signal.throwIfAborted()
      const wait = { ...call, id, progress, warning: published.warning }
      await startSong(connection, wait, { before, volume })
      await untilEnd(connection, sound, wait)
    } finally {
      await restore(connection, call.reconnect, (present) =>
        resumeMusic(present, { before, id, volume }),
      )
    }
    return { confirmedBy: 'player' }
  } finally {
    published.remove()
  }
}

/** @returns its id. If that does not become known, the song is not in the queue. */
async function addSong(
  connection: MpdConnection,
  published: PublishedSound,
  { device, reconnect }: SongCall,
): Promise<string> {
  const url = quoted(published.url)
  try {
    const id = idOf((await connection.run(`addid ${url}`)).get('Id'))
    if (id === undefined) throw deviceError(device, 'other-protocol')
    return id
  } catch (error) {
    // Mopidy reads the start of the sound before it responds to anything else.
    published.remove()
    await restore(connection, reconnect, async (present) => {
      // MPD has called it `file` since 0.13, and still knows the older name, which is the only one of Mopidy.
      const id = idOf((await present.run(`playlistfind filename ${url}`)).get('Id'))
      if (id !== undefined) await present.attempt(`deleteid ${id}`)
    })
    throw error
  }
}

/**
 * The volume at which the amplitude is a share of the present one. The volumes of PulseAudio are the cube root of the
 * amplitude; those of ALSA and the software mixer of MPD are similar. That of Mopidy is the amplitude (measured: 1 dB).
 */
function softer(
  present: number | undefined,
  percent: number,
  isLinear: boolean,
): number | undefined {
  if (present === undefined) return undefined
  return Math.round(isLinear ? (present * percent) / 100 : softerVolume(present, percent))
}

interface Start {
  before: MpdStatus
  volume: number | undefined
}

async function startSong(
  connection: MpdConnection,
  wait: Wait,
  { before, volume }: Start,
): Promise<void> {
  // Mopidy does not know it.
  await connection.attempt('clearerror')
  if (volume !== before.volume) await connection.attempt(`setvol ${volume}`)
  // It must end after this song, and neither repeat nor remove anything. As one command: music does not begin between them.
  const commands = ['consume 0', 'repeat 0', 'single 1', `playid ${wait.id}`] as const
  await connection.run(...commands).catch((error: unknown) => {
    // An address that leads nowhere can fail before MPD has responded.
    const isRejected = error instanceof SpeakerError && error.code === 'SPEAKER_REFUSED'
    throw isRejected && !wait.progress.isFetched ? notFetchedBy(wait) : error
  })
}

interface Wait extends SongCall {
  id: string
  progress: FetchProgress
  warning: PublishedSound['warning']
}

async function untilEnd(connection: MpdConnection, sound: Sound, wait: Wait): Promise<void> {
  const { signal, id, progress, onFirstSound } = wait
  const calledAt = performance.now()
  let hasBegun = false
  let heardAt: number | undefined
  let heardSeconds = 0
  for (;;) {
    const status = readStatus(await connection.run('status'))
    const waitedMs = performance.now() - calledAt
    signal.throwIfAborted()
    if (progress.failure !== undefined) throw progress.failure
    const isCurrent = status.songId === id && status.state !== 'stop'
    hasBegun ||= isCurrent
    // With `repeat`, which somebody may switch on, it begins again.
    const hasRestarted = isCurrent && status.elapsedSeconds < heardSeconds
    if (isCurrent) heardSeconds = status.elapsedSeconds
    if ((!isCurrent && (hasBegun || waitedMs > beginMs)) || hasRestarted) {
      checkEnd(sound, status, performance.now() - (heardAt ?? calledAt), wait)
      if (heardAt === undefined) onFirstSound()
      return
    }
    if (heardAt === undefined && heardSeconds > 0) {
      heardAt = performance.now() - heardSeconds * 1000
      onFirstSound()
    }
    if (!progress.isFetched && waitedMs > fetchWithinMs) throw notFetchedBy(wait)
    if (heardAt === undefined) await abortableDelay(pollMs, signal)
    else await connection.idle(signal)
  }
}

/** @throws {SpeakerError} unless the song was heard to the end of the sound. */
function checkEnd(sound: Sound, { error }: MpdStatus, elapsedMs: number, wait: Wait): void {
  const { device, progress } = wait
  if (!progress.isFetched) throw notFetchedBy(wait)
  if (error !== undefined) throw deviceError(device, 'rejected', error)
  checkWhole(device, sound, progress, elapsedMs)
}

function notFetchedBy({ device, warning }: Wait) {
  return notFetched(device.RED, warning)
}
