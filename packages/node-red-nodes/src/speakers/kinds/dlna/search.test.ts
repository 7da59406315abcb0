import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
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
