import { unlessAborted } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { PublishedSound, SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { ReportedEnd } from '../../device-drivers/reported-end.ts'
import { restore } from '../../device-drivers/restore.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { shown } from '../../network/device.ts'
import { CastConnection } from './cast-connection.ts'
import { LoadedSound } from './loaded-sound.ts'
import { readMusic, resumeMusic } from './media.ts'
import { launch, readStatus, setVolume } from './receiver.ts'
import { changeOf, restoreVolume } from './volume.ts'

export interface DeviceCall
  extends Pick<PlayOptions, 'signal' | 'volume' | 'text' | 'onFirstSound'> {
  sounds: SoundStore
  /** The address of Node-RED as the device sees it; empty: determined automatically. */
  address: string
  /** How long the device may take until it fetches an address. Default: 10 s. */
  fetchLimitMs?: number
}

/**
 * Plays a sound in the default media receiver, which then plays on what it played before. Other applications end.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playOnDevice(
  connection: CastConnection,
  sound: Sound,
  call: DeviceCall,
): Promise<Played> {
  const { signal } = call
  const { device, ended: connectionEnded } = connection
  const before = await unlessAborted(readStatus(connection), signal)
  const app = before.app ?? (await unlessAborted(launch(connection), signal))
  connection.join(app.transportId)
  const music = before.app && (await unlessAborted(readMusic(connection, app), signal))
  const volume = changeOf(before.volume, call.volume)
  const published = call.sounds.publish(sound, { address: call.address })
  let loaded: LoadedSound | undefined
  try {
    if (volume) await setVolume(connection, volume.during)
    signal.throwIfAborted()
    const end = new ReportedEnd({ ...call, device, sound, published, connectionEnded })
    const media = mediaOf(sound, published, call.text)
    loaded = new LoadedSound(connection, app, media, () => end.noteFirstSound())
    return await end.untilHeard(loaded.ended)
  } finally {
    published.remove()
    await loaded?.stop(music !== undefined).catch(() => {})
    const reconnect = () => CastConnection.open(device, AbortSignal.timeout(device.responseMs))
    await restore(connection, reconnect, async (present) => {
      if (volume) await restoreVolume(present, volume)
      // A sound that was not loaded has not interrupted it.
      if (music && loaded && !loaded.isTakenOver) await resumeMusic(present, app, music)
    })
  }
}

/** What the device is given. @param text The spoken text, which a television shows. */
function mediaOf(sound: Sound, { url }: PublishedSound, text = ''): object {
  return {
    contentId: url,
    contentType: sound.mediaType,
    streamType: 'BUFFERED',
    metadata: { metadataType: 0, title: shown(text) },
  }
}
