import { randomBytes } from 'node:crypto'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startMdnsDevice } from '@parlando/test-support/players/stand-ins/mdns-device'
import { expect, it } from 'vitest'
import { createSpeakerKinds } from '../kinds/kinds.ts'
import { type FoundSpeaker, searchSpeakers } from './search-speakers.ts'

const RED = speakerTexts.en
const http = await startFakeHttpRed()
const kinds = createSpeakerKinds(http.RED)
await http.close()
const own = randomBytes(4).toString('hex')

async function search(searchMs: number, signal = AbortSignal.timeout(30_000)) {
  const found = await searchSpeakers(RED, kinds, { searchMs, signal, addresses: ['127.0.0.1'] })
  // Other tests may have devices, too.
  return found.filter(({ name }) => name.includes(own))
}

it('finds the devices of each kind by mDNS, with the settings of a speaker', async () => {
  await startMdnsDevice([
    { name: `Music ${own}`, type: 'mpd', port: 6600 },
    { name: `Rooms ${own}`, type: 'snapcast-tcp', port: 1705 },
    { name: 'Home', type: 'home-assistant', port: 8123, txt: { location_name: `House ${own}` } },
    { name: `cast-${own}`, type: 'googlecast', port: 8009, txt: { fn: `Nest ${own}` } },
    { name: `Sonos-5CAAFD@Kitchen ${own}`, type: 'sonos', port: 1443 },
    { name: `Printer ${own}`, type: 'ipp', port: 631 },
  ])
  const devices = 5
  let found: FoundSpeaker[] = []
  // On a busy machine, a device may respond too late.
  const searchAgain = async () => {
    found = await search(700)
    return found
  }
  await expect.poll(searchAgain, { timeout: 30_000 }).toHaveLength(devices)
  const lines = found.map(({ kind, name, address, settings }) => {
    const host = address.split(':')[0]!
    return [kind, name, JSON.stringify(settings).replaceAll(host, 'host')]
  })
  expect(lines).toEqual([
    ['home-assistant', `House ${own}`, '{"homeAssistantAddress":"http://host:8123"}'],
    ['sonos', `Kitchen ${own}`, '{"sonos":"host:1443"}'],
    ['mpd', `Music ${own}`, '{"mpd":"host:6600"}'],
    ['cast', `Nest ${own}`, '{"cast":"host:8009"}'],
    ['snapcast', `Rooms ${own}`, '{"snapcast":"host:1705"}'],
  ])
})

it('finds nothing where there is nothing', async () => {
  expect(await search(200)).toEqual([])
})

it('ends with the reason of a signal', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(search(30_000, signal)).rejects.toThrow('stopped')
})

it('asks for settings that the kinds have', () => {
  const service = { type: '', name: 'x', host: 'h', address: 'h:1', texts: {} }
  for (const { services, settings = [] } of Object.values(kinds)) {
    const names = settings.map(({ name }) => name)
    for (const name of Object.keys(services?.speakerOf(service).settings ?? {}))
      expect(names).toContain(name)
    for (const type of services?.types ?? []) expect(type).toMatch(/^_[a-z\d-]{1,15}\._tcp$/)
  }
})
