import { abortableDelay, rejectionOf, withinTime } from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import type { PublishedSound, SoundStore } from '../../../sounds/sound-store.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import { type Device, deviceError } from '../../network/device.ts'
import { checkWhole, type FetchProgress, watchFetch } from '../../playback/fetch-progress.ts'
import { notFetched } from '../../speaker-error.ts'
import type { Camera } from './camera.ts'

const pollMs = 100
/** Some cameras sleep until somebody speaks. */
const fetchLimitMs = 10_000
/** ffmpeg and the camera begin some time after the fetch. */
const lateEndMs = 8_000
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
    return await Promise.race([untilEnd(camera, wait), rejectionOf(sound.completed)])
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

interface Wait extends CameraCall {
  sound: Sound
  published: PublishedSound
  progress: FetchProgress
}

async function untilEnd(camera: Camera, wait: Wait): Promise<Played> {
  const { device, signal, sound, published, progress, onFirstSound } = wait
  const calledAt = performance.now()
  let heardAt: number | undefined
  for (;;) {
    const isPlaying = await camera.isPlaying(published.url, signal)
    signal.throwIfAborted()
    const now = performance.now()
    if (isPlaying && progress.isFetched && heardAt === undefined) {
      heardAt = now
      onFirstSound()
    }
    if (!progress.isFetched && now - calledAt > fetchLimitMs)
      throw notFetched(device.RED, published.warning)
    const elapsedMs = now - (heardAt ?? calledAt)
    const durationMs = (sound.durationSeconds ?? 0) * 1000
    if (heardAt !== undefined && !isPlaying) {
      checkWhole(device, sound, progress, elapsedMs)
      return { confirmedBy: 'player' }
    }
    if (progress.isSent && elapsedMs > durationMs + lateEndMs) {
      // go2rtc names a sound until a second after its end, so it would have been seen.
      if (heardAt === undefined) throw deviceError(device, 'no-response')
      return { confirmedBy: 'duration' }
    }
    await abortableDelay(pollMs, signal)
  }
}
