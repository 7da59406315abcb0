import { randomInt } from 'node:crypto'
import { encode } from 'dns-packet'
import { type SearchOptions, searchByMulticast } from './multicast-search.ts'
import { type FoundService, ServiceRecords } from './service-records.ts'

/** The address of all devices of a network that speak mDNS. */
const group = { address: '224.0.0.251', port: 5353 }

/**
 * Searches services of the network by mDNS (RFC 6762). It asks from a port of its own, so that devices respond to this machine
 * alone (section 6.7), and no other program that speaks mDNS is in the way. Some devices respond to the group all the same.
 * @param types Such as `_mpd._tcp`.
 */
export async function searchServices(
  types: readonly string[],
  options: SearchOptions,
): Promise<FoundService[]> {
  const records = new ServiceRecords(types)
  const message = () =>
    encode({ type: 'query', id: randomInt(1, 65_536), questions: records.questions() })
  await searchByMulticast(
    {
      group,
      respondsToGroup: true,
      message,
      take(response, responder) {
        records.take(response, responder)
        return false
      },
    },
    options,
  )
  return records.services()
}
