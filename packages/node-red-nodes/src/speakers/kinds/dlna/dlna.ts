import { isIPv4 } from 'node:net'
import type { Texts } from '../../../runtime/texts.ts'
import { createConnectedDriver } from '../../device-drivers/connected-driver.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import type { Driver } from '../../driver.ts'
import type { Device } from '../../network/device.ts'
import type { SearchOptions } from '../../search/multicast-search.ts'
import { SpeakerError } from '../../speaker-error.ts'
import type { DriverContext, FoundDevice, SpeakerKind } from '../../speaker-kind.ts'
import { playOnRenderer } from './play-on-renderer.ts'
import { parseUrl, Renderer } from './renderer.ts'
import { searchRenderers } from './search.ts'

const defaultResponseMs = 5_000
const defaultSearchMs = 3_000

/** A player that understands UPnP, which DLNA is part of: televisions, receivers, network speakers. */
export const dlnaSpeaker: SpeakerKind = {
  create: createDlnaDriver,
  settings: [{ name: 'renderer' }, { name: 'address', type: 'address' }],
  searchDevices: findAll,
  playerHost({ renderer }) {
    const typed = String(renderer ?? '').trim()
    return isIPv4(typed) ? typed : addressOf(typed)?.hostname
  },
  devices: ({ renderer }) => [`dlna ${String(renderer).trim().toLowerCase()}`],
}

export interface DlnaOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long the renderer may take to respond. Default: 5 s. */
  responseMs?: number
  /** How long to search the network for it. Default: 3 s. */
  searchMs?: number
  /** The addresses of this machine from which to search. Default: those of all networks. */
  addresses?: readonly string[]
}

/** Plays each sound on a renderer, which then continues what it played. */
export function createDlnaDriver(options: DlnaOptions): Driver {
  const { sounds, config } = options
  const address = String(config['address'] ?? '')
  /** The description of the renderer that was found last: it changes when the renderer restarts. */
  let known: URL | undefined

  const connect = async (signal: AbortSignal): Promise<FoundRenderer> => {
    const typed = String(config['renderer'] ?? '').trim()
    if (known) {
      const found = await open(known, options, signal).catch(() => undefined)
      signal.throwIfAborted()
      if (found && isMeant(typed, found)) return found
    }
    const description = addressOf(typed)
    const found = await (description
      ? open(description, options, signal)
      : find(typed, options, signal))
    known = found.description
    return found
  }

  return createConnectedDriver<FoundRenderer>({
    RED: options.RED,
    format: deviceFormat,
    connect,
    // Each action has a connection of its own.
    isOpen: () => true,
    close() {},
    play: ({ device, renderer }, sound, playOptions) =>
      playOnRenderer(renderer, sound, { ...playOptions, device, sounds, address }),
  })
}

interface FoundRenderer {
  description: URL
  device: Device
  renderer: Renderer
}

/** @throws {SpeakerError} when it does not respond, or cannot play. */
async function open(
  description: URL,
  options: DlnaOptions,
  signal: AbortSignal,
): Promise<FoundRenderer> {
  const device = deviceOf(description, options)
  return { description, device, renderer: await Renderer.open(device, description, signal) }
}

/** Whether the setting means a renderer. Players that start again get the addresses of others; they keep their names. */
function isMeant(typed: string, { description, renderer }: FoundRenderer): boolean {
  const isAddress = description.hostname === typed || addressOf(typed) !== undefined
  return isAddress || renderer.name.toLowerCase() === typed.toLowerCase()
}

/** The address of a description, where the user typed one. */
function addressOf(typed: string): URL | undefined {
  return /^http:/i.test(typed) ? parseUrl(typed) : undefined
}

function deviceOf(
  { hostname, port }: URL,
  options: Pick<DlnaOptions, 'RED' | 'responseMs'>,
): Device {
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
async function find(
  typed: string,
  options: DlnaOptions,
  signal: AbortSignal,
): Promise<FoundRenderer> {
  const { RED, searchMs = defaultSearchMs, addresses } = options
  const names: string[] = []
  let atHost: URL | undefined
  let named: FoundRenderer | undefined
  const take = async (description: URL) => {
    if (description.hostname === typed) atHost = description
    if (atHost) return true
    const found = await open(description, options, signal).catch(() => undefined)
    if (found) names.push(found.renderer.name)
    if (found && isMeant(typed, found)) named = found
    return named !== undefined
  }
  await searchRenderers(take, { searchMs, signal, ...(addresses && { addresses }) })
  if (atHost) return open(atHost, options, signal)
  if (named) return named
  const key = names.length > 0 ? 'speaker.dlna.found-others' : 'speaker.dlna.not-found'
  const values = { typed, names: names.slice(0, 10).join(', ') }
  throw new SpeakerError('SPEAKER_NOT_REACHABLE', RED._(key, values))
}

/** Searches the network for all renderers. */
async function findAll(RED: Texts, options: SearchOptions): Promise<FoundDevice[]> {
  const opening: Promise<{ name: string; description: URL }[]>[] = []
  const open = async (description: URL) => {
    const device = deviceOf(description, { RED })
    const { name } = await Renderer.open(device, description, options.signal)
    return [{ name, description }]
  }
  await searchRenderers((description) => {
    opening.push(open(description).catch(() => []))
    return false
  }, options)
  const found = (await Promise.all(opening)).flat()
  return found.map(({ name, description }) => {
    const isUnique = name !== '' && found.filter((other) => other.name === name).length === 1
    // The address of the description changes when the renderer restarts; its name does not.
    const renderer = isUnique ? name : description.href
    return { name: name || description.host, address: description.host, settings: { renderer } }
  })
}
