import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import { expect, it, onTestFinished } from 'vitest'
import { requestDevice } from './http-request.ts'

const deviceAt = (port: number) => ({
  RED: speakerTexts.en,
  name: 'go2rtc',
  address: { host: '127.0.0.1', port },
  responseMs: 2000,
})

it('a device that rejects a request need not end what it says', async () => {
  const other = await startScriptedDevice((socket) => {
    socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })
  onTestFinished(other.close)
  const url = new URL(`http://${other.address}/`)
  expect(await requestDevice(deviceAt(Number(url.port)), url, {})).toEqual({
    ...{ status: 400, text: '' },
  })
})

it('a server that receives a secret must prove who it is', async () => {
  const requests: unknown[] = []
  const server = createServer(await makeCertificate(), ({ url }, response) => {
    requests.push(url)
    response.end('hello')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = new URL(`https://127.0.0.1:${port}/`)
  expect(await requestDevice(deviceAt(port), url, {})).toMatchObject({ text: 'hello' })
  const verified = requestDevice(deviceAt(port), url, { isVerified: true })
  await expect(verified).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  expect(requests).toEqual(['/'])
})
