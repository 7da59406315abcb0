import type { Texts } from '../../runtime/texts.ts'
import { shown } from '../network/device.ts'
import type { FoundDevice, SpeakerKind } from '../speaker-kind.ts'
import { searchServices } from './mdns-search.ts'
import type { SearchOptions } from './multicast-search.ts'

/** A device in the network that can be a speaker. */
export interface FoundSpeaker extends FoundDevice {
  kind: string
}

/** What the form of a speaker receives. */
export interface SearchResult {
  speakers: FoundSpeaker[]
  /** Whether the network of Node-RED may be that of a container, which has no devices. */
  isInContainer: boolean
}

/** A list can show this many. */
const maxSpeakers = 100

/** Searches the network for devices of all kinds. @throws the reason of the signal. */
export async function searchSpeakers(
  RED: Texts,
  kinds: Readonly<Record<string, SpeakerKind>>,
  options: SearchOptions,
): Promise<FoundSpeaker[]> {
  const searches = [
    searchAllServices(kinds, options),
    ...Object.entries(kinds).map(async ([kind, { searchDevices }]) => {
      const devices = (await searchDevices?.(RED, options)) ?? []
      return devices.map((device) => ({ kind, ...device }))
    }),
  ]
  // A network without multicast for one protocol may have it for the other.
  const results = await Promise.allSettled(searches)
  options.signal.throwIfAborted()
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const unique = new Map(found.map((one) => [JSON.stringify([one.kind, one.settings]), one]))
  return [...unique.values()]
    .slice(0, maxSpeakers)
    .map((one) => ({ ...one, name: shown(one.name), address: shown(one.address) }))
    .sort((one, other) => one.name.localeCompare(other.name))
}

async function searchAllServices(
  kinds: Readonly<Record<string, SpeakerKind>>,
  options: SearchOptions,
): Promise<FoundSpeaker[]> {
  const wanted = Object.entries(kinds).flatMap(([kind, { services }]) =>
    services ? [{ kind, ...services }] : [],
  )
  const found = await searchServices(
    wanted.flatMap(({ types }) => types),
    options,
  )
  return found.flatMap((service) =>
    wanted
      .filter(({ types }) => types.includes(service.type))
      .map(({ kind, speakerOf }) => {
        const { name = service.name, settings } = speakerOf(service)
        return { kind, name, address: service.address, settings }
      }),
  )
}
