import { searchNetwork } from '@parlando/test-support/players/upnp/search-network'
import { needsNetwork, upnpNetwork } from '@parlando/test-support/players/upnp/upnp-network'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { describe, expect, it } from 'vitest'

describe('a search of a network', needsNetwork(), () => {
  it('finds a real DLNA player by its name', needs('gmediarender'), async () => {
    const { interfaceName, host } = upnpNetwork!
    const name = 'Kitchen radio'
    const renderer = ['gmediarender', '--interface-name', interfaceName, '-f', name]
    const found = await searchNetwork(name, [...renderer, '--gstout-audiosink', 'fakesink'])
    expect(found).toContainEqual({
      kind: 'dlna',
      name,
      address: expect.stringContaining(host),
      settings: { renderer: name },
    })
  })
})
