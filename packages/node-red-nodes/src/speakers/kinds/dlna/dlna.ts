import type { Texts } from '../../../runtime/texts.ts'
import type { SoundFormat } from '../../../sounds/sound.ts'
import type { Driver } from '../../driver.ts'
import type { Device } from '../../network/device.ts'
import { OneAtATime } from '../../network/one-at-a-time.ts'
import { SpeakerError, speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'
import { playOnRenderer } from './play-on-renderer.ts'
import { parseUrl, Renderer } from './renderer.ts'
import { searchRenderers } from './search.ts'

/** Every renderer must decode it. */
const format: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }

const defaultResponseMs = 5_000
const defaultSearchMs = 3_000

/** A player that understands UPnP, which DLNA is part of: televisions, receivers, network speakers. */
export const dlnaSpeaker: SpeakerKind = {
  create: createDlnaDriver,
  settings: [{ name: 'renderer' }, { name: 'address', type: 'address' }],
  devices: ({ renderer }) => [`dlna ${String(renderer).trim().toLowerCase()}`],
}

export interface DlnaOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long the renderer may take to respond. Default: 5 s. */
  responseMs?: number
  /** How long to search the network for it. Default: 3 s. */
  searchMs?: number
}

/** Plays each sound on a renderer, which then continues what it played. */
export function createDlnaDriver(options: DlnaOptions): Driver {
  const { sounds, config } = options
  const address = String(config['address'] ?? '')
  const playing = new OneAtATime()
  /** The description of the renderer that was found last: it changes when the renderer restarts. */
  let known: URL | undefined

  const connect = async (signal: AbortSignal) => {
    const typed = String(config['renderer'] ?? '').trim()
    if (known) {
      const device = deviceOf(known, options)
      const renderer = await Renderer.open(device, known, signal).catch(() => undefined)
      signal.throwIfAborted()
      if (renderer) return { device, renderer }
    }
    const description = addressOf(typed) ?? (await find(typed, options, signal))
    const device = deviceOf(description, options)
    const renderer = await Renderer.open(device, description, signal)
    known = description
    return { device, renderer }
  }

  return {
    async prepare(signal) {
      await connect(signal)
      return format
    },
    play: (sound, { volume, onFirstSound, signal: stopped }) =>
      playing.play(stopped, async (signal) => {
        const { device, renderer } = await connect(signal)
        const call = { device, sounds, address, volume, signal, onFirstSound }
        return playOnRenderer(renderer, sound, call)
      }),
    close: () => playing.close(speakerClosed(options.RED)),
  }
}

/** The address of a description, where the user typed one. */
function addressOf(typed: string): URL | undefined {
  return /^http:/i.test(typed) ? parseUrl(typed) : undefined
}

function deviceOf({ hostname, port }: URL, options: DlnaOptions): Device {
  const { RED, responseMs = defaultResponseMs } = options
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    RED,
    name: RED._('speaker.dlna.device'),
    address: { host, port: Number(port || 80) },
    responseMs,
  }
}

/** Searches the network for the renderer with a name or at a host. @throws {SpeakerError} if none responds. */
async function find(typed: string, options: DlnaOptions, signal: AbortSignal): Promise<URL> {
  const { RED, searchMs = defaultSearchMs } = options
  const names: string[] = []
  let found: URL | undefined
  const take = async (description: URL) => {
    if (description.hostname === typed) found = description
    if (found) return true
    const device = deviceOf(description, options)
    const renderer = await Renderer.open(device, description, signal).catch(() => undefined)
    if (renderer) names.push(renderer.name)
    if (renderer?.name.toLowerCase() === typed.toLowerCase()) found = description
    return found !== undefined
  }
  await searchRenderers(take, { searchMs, signal })
  if (found) return found
  const key = names.length > 0 ? 'speaker.dlna.found-others' : 'speaker.dlna.not-found'
  const values = { typed, names: names.slice(0, 10).join(', ') }
  throw new SpeakerError('SPEAKER_NOT_REACHABLE', RED._(key, values))
}
