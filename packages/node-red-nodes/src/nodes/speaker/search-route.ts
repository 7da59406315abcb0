import type { NodeAPI } from 'node-red'
import { isInContainer } from '../../programs/this-machine.ts'
import { addAdminRoute } from '../../runtime/admin-route.ts'
import type { SearchResult } from '../../speakers/search/search-speakers.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'

/** Devices that sleep respond to the second or third round. */
const searchMs = 4_000

/**
 * The route of the form's *Find speakers*.
 * @param addresses Those of this machine from which to search. Default: all but those of the loopback interface.
 */
export function addSearchRoute(
  RED: NodeAPI,
  kinds: Readonly<Record<string, SpeakerKind>>,
  addresses?: readonly string[],
): void {
  // Who may not change flows must not make Node-RED send anything to the network.
  addAdminRoute(RED, 'find-speakers', 'flows.write', async (_body, signal) => {
    // It loads what reads mDNS, for the first search.
    const { searchSpeakers } = await import('../../speakers/search/search-speakers.ts')
    const options = { searchMs, signal, ...(addresses && { addresses }) }
    const speakers = await searchSpeakers(RED, kinds, options)
    return { speakers, isInContainer: isInContainer() } satisfies SearchResult
  })
}
