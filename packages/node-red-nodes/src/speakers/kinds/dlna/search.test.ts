import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createDlnaDriver } from './dlna.ts'
import { searchRenderers } from './search.ts'

const loopback = '127.0.0.1'

/** A device on the loopback interface, so that no search leaves this machine. */
async function startDevice(respond: (search: string) => readonly string[]) {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.bind(1900)
  await once(socket, 'listening')
  socket.addMembership('239.255.255.250', loopback)
  socket.on('message', (search, { port, address }) => {
    for (const response of respond(search.toString())) socket.send(response, port, address)
  })
  onTestFinished(() => void socket.close())
}

const responseWith = (location: string) =>
  `HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:device:MediaRenderer:1\r\nLocation: ${location}\r\n\r\n`

/** A renderer that rejects what it is to do. */
async function startRenderer(name: () => string) {
  const service = 'urn:schemas-upnp-org:service:AVTransport:1'
  const { baseUrl, requests } = await startTestServer((response, { method }) => {
    const xml = `<root><device><friendlyName>${name()}</friendlyName><serviceList><service><serviceType>${service}</serviceType><controlURL>/control</controlURL></service></serviceList></device></root>`
    if (method === 'GET') response.end(xml)
    else response.writeHead(404).end()
  })
  const actions = () => requests.filter(({ method }) => method === 'POST').length
  return { description: `${baseUrl}/description.xml`, actions }
}

function search(take: (description: URL) => boolean, searchMs: number, signal?: AbortSignal) {
  const options = { searchMs, signal: signal ?? AbortSignal.timeout(10_000) }
  return searchRenderers(take, { ...options, addresses: [loopback] })
}

it('finds a renderer, and ends', async () => {
  const searches: string[] = []
  await startDevice((text) => {
    searches.push(text)
    return [responseWith('http://127.0.0.1:49494/description.xml')]
  })
  const found: string[] = []
  await search(({ href }) => found.push(href) > 0, 30_000)
  expect(found).toEqual(['http://127.0.0.1:49494/description.xml'])
  expect(searches[0]).toMatch(/^M-SEARCH \* HTTP\/1\.1\r\n/)
})

it('takes each renderer once, and none at the address of another host', async () => {
  await startDevice(() => [
    responseWith('http://192.0.2.1/description.xml'),
    responseWith('file:///etc/passwd'),
    'HTTP/1.1 200 OK',
    'x'.repeat(9_000),
    responseWith('http://127.0.0.1/one'),
    responseWith('http://127.0.0.1/one'),
    responseWith('http://127.0.0.1/last'),
  ])
  const found: string[] = []
  const take = ({ href }: URL) => found.push(href) > 0 && href.endsWith('last')
  await search(take, 30_000)
  expect(found).toEqual(['http://127.0.0.1/one', 'http://127.0.0.1/last'])
})

it('searches from the other interfaces if one has gone', async () => {
  await startDevice(() => [responseWith('http://127.0.0.1/one')])
  const found: string[] = []
  const options = { searchMs: 30_000, signal: AbortSignal.timeout(10_000) }
  const addresses = ['192.0.2.77', loopback]
  await searchRenderers(({ href }) => found.push(href) > 0, { ...options, addresses })
  expect(found).toEqual(['http://127.0.0.1/one'])
})

it('ends with the reason of a signal', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(search(() => false, 30_000, signal)).rejects.toThrow('stopped')
})

it('a speaker goes to the renderer with its name, also when another one now has the address', async () => {
  const names = ['Kitchen', 'Bedroom']
  const one = await startRenderer(() => names[0]!)
  const other = await startRenderer(() => names[1]!)
  await startDevice(() => [responseWith(one.description), responseWith(other.description)])
  const server = await serveSounds()
  const limits = { responseMs: 20_000, searchMs: 20_000 }
  const options = { RED: speakerTexts.en, sounds: server.sounds, addresses: [loopback], ...limits }
  const driver = createDlnaDriver({ ...options, config: { renderer: 'kitchen' } })
  onTestFinished(() => driver.close().then(server.close))
  const signal = AbortSignal.timeout(25_000)
  const announce = async () => {
    const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
    const played = driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
    return [one.actions(), other.actions()]
  }
  expect(await announce()).toEqual([1, 0])
  names.reverse()
  expect(await announce()).toEqual([1, 1])
  expect(await announce()).toEqual([1, 2])
})
