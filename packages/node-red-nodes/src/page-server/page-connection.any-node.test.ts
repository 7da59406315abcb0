import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { expect, it } from 'vitest'
import { connectEvents, connectionToClose } from './page-connection.ts'

const from = (address: string, activeAt: number) => ({ address, activeAt })

it('the longest silent connection of the address with the most connections makes room', () => {
  const tablet = from('192.168.1.2', 0)
  const [older, newer] = [from('192.168.1.66', 10), from('192.168.1.66', 20)]
  expect(connectionToClose([tablet, newer, older])).toBe(older)
})

it('without a connection, none makes room', () => {
  expect(connectionToClose([])).toBeUndefined()
})

it('an event after the end is not sent, and does not end Node-RED', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
  browser.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const connection = connectEvents(response, '127.0.0.1')
  connection.end()
  connection.send('{"type":"late"}')
  const received = (await browser.toArray()).join('')
  expect(received).toContain('alive')
  expect(received).not.toContain('late')
  server.close()
})
