import { rejectionOf, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { watchFetch } from '../../device-drivers/fetch-progress.ts'
import { untilPolledEnd } from '../../device-drivers/polled-end.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import type { Device } from '../../network/device.ts'
import { notFetched } from '../../speaker-error.ts'
import type { Camera } from './camera.ts'

/** Some cameras sleep until somebody speaks. */
const fetchLimitMs = 10_000
const stopLimitMs = 1_000

export interface CameraCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  device: Device
  sounds: SoundStore
  /** The address of Node-RED as go2rtc sees it; empty: determined automatically. */
  address: string
  /** What the camera understands, such as `pcma`; `auto`: go2rtc finds out. */
  codec: string
}

/**
 * Plays a sound on a camera.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playOnCamera(
  camera: Camera,
  sound: Sound,
  call: CameraCall,
): Promise<Played> {
  const published = call.sounds.publish(sound, { address: call.address })
  const wait = { ...call, sound, published, progress: watchFetch(sound, published) }
  try {
    call.signal.throwIfAborted()
    // As a file, ffmpeg sends it to the camera no faster than it is to be heard.
    if (!(await camera.play(sourceOf(published.url, call))))
      throw notFetched(call.device.RED, published.warning)
    // It names a sound until a second after its end, so the sound is seen.
    const look = async (hasBegun: boolean) => {
      const isPlaying = await camera.isPlaying(published.url, call.signal)
      return { isPlaying, isOver: hasBegun && !isPlaying }
    }
    const played = untilPolledEnd(wait, look, fetchLimitMs)
    return await Promise.race([played, rejectionOf(sound.completed)])
  } catch (error) {
    published.remove()
    const late = () => new Error('took too long')
    await withinTime(stopLimitMs, camera.stop(), late).catch(() => {})
    throw error
  } finally {
    published.remove()
  }
}

/**
 * What go2rtc plays. As a file, its ffmpeg sends the sound to the camera no faster than it is to be heard. go2rtc cannot set the
 * volume of a camera, so ffmpeg makes the sound softer; go2rtc allows no spaces, and joins the words of `raw` with them.
 */
function sourceOf(url: string, { codec, volume }: CameraCall): string {
  const softer = volume < 100 ? `#raw=-af#raw=volume=${(volume / 100).toFixed(3)}` : ''
  return `ffmpeg:${url}#audio=${codec}#input=file${softer}`
}
