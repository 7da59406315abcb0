import type { Sound } from '../../../sounds/sound.ts'
import type { SoundStore } from '../../../sounds/to-play/sound-store.ts'
import { watchFetch } from '../../device-drivers/fetch-progress.ts'
import {
  type DeviceState,
  type PolledSound,
  untilPolledEnd,
} from '../../device-drivers/polled-end.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import type { Device } from '../../network/device.ts'
import { fetchWithinMs } from '../../speaker-error.ts'
import { continuePlayback, readPlayback, stateOf, waitUntil } from './playback.ts'
import { type Renderer, RendererRejection, unlessRejected } from './renderer.ts'
import { RendererVolume } from './volume.ts'
import { escaped } from './xml.ts'

export interface RendererCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  device: Device
  sounds: SoundStore
  /** The address of Node-RED as the renderer sees it; empty: determined automatically. */
  address: string
}

/**
 * Plays a sound instead of what a renderer plays, which then continues.
 * @throws {SpeakerError} when it was not heard to its end; the error of the sound; the reason of the signal.
 */
export async function playOnRenderer(
  renderer: Renderer,
  sound: Sound,
  call: RendererCall,
): Promise<Played> {
  const published = call.sounds.publish(sound, { address: call.address })
  const wait = { ...call, sound, published, progress: watchFetch(sound, published) }
  try {
    const before = await readPlayback(renderer)
    // From here on, the music is interrupted.
    call.signal.throwIfAborted()
    const volume = new RendererVolume(renderer)
    try {
      await stop(renderer, call.signal)
      // Some renderers forget it for the next sound while they play.
      await volume.makeSofter(call.volume)
      await begin(renderer, wait)
      return await untilPolledEnd(wait, () => lookAt(renderer), fetchWithinMs)
    } finally {
      // Whether the sound was heard counts more than whether the music continues.
      const restoreVolume = () => volume.restore()
      const interruption = { before, soundUri: published.url, restoreVolume }
      await continuePlayback(renderer, interruption).catch(() => {})
    }
  } finally {
    published.remove()
  }
}

/** Some renderers reject a new address while they play. */
async function stop(renderer: Renderer, signal: AbortSignal): Promise<void> {
  await unlessRejected(renderer.transport('Stop'))
  await waitUntil(
    signal,
    async () => !['PLAYING', 'TRANSITIONING'].includes(await stateOf(renderer)),
  )
}

async function begin(renderer: Renderer, { sound, published, signal }: PolledSound): Promise<void> {
  const load = () =>
    renderer.transport('SetAVTransportURI', {
      CurrentURI: published.url,
      CurrentURIMetaData: metadata(published.url, sound.mediaType),
    })
  await load()
  await waitUntil(signal, async () => {
    const actions = await unlessRejected(renderer.transport('GetCurrentTransportActions'))
    const allowed = actions?.get('Actions')
    // A renderer that does not list them allows it. Some write them in capital letters.
    return !allowed || /\bplay\b/i.test(allowed)
  })
  signal.throwIfAborted()
  await startPlayback(renderer, load, signal)
}

/** A renderer may reject it while it still ends the sound before; some then play only what they are given again. */
async function startPlayback(
  renderer: Renderer,
  load: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let rejection: unknown
  await waitUntil(signal, async () => {
    try {
      await renderer.transport('Play', { Speed: 1 })
      rejection = undefined
    } catch (error) {
      if (!(error instanceof RendererRejection)) throw error
      rejection = error
      await unlessRejected(load())
    }
    return rejection === undefined
  })
  if (rejection) throw rejection
}

/** Many renderers send events badly or not at all, so they are asked. */
async function lookAt(renderer: Renderer): Promise<DeviceState> {
  const transport = await renderer.transport('GetTransportInfo')
  const state = transport.get('CurrentTransportState') ?? ''
  const status = transport.get('CurrentTransportStatus')
  return {
    isPlaying: state === 'PLAYING',
    isOver: ['STOPPED', 'NO_MEDIA_PRESENT'].includes(state),
    ...(status === 'ERROR_OCCURRED' && { rejection: status }),
  }
}

/** What renderers want to know of a sound. */
function metadata(url: string, mediaType: string): string {
  return [
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">',
    '<item id="1" parentID="0" restricted="1"><dc:title>Announcement</dc:title>',
    '<upnp:class>object.item.audioItem.musicTrack</upnp:class>',
    `<res protocolInfo="http-get:*:${mediaType}:*">${escaped(url)}</res></item></DIDL-Lite>`,
  ].join('')
}
