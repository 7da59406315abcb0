import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { Renderer } from './renderer.ts'

const service = (name: string, controlURL: string) =>
  `<service><serviceType>urn:schemas-upnp-org:service:${name}:1</serviceType><controlURL>${controlURL}</controlURL></service>`
const description = (services: string, more = '') =>
  `<root xmlns="urn:schemas-upnp-org:device-1-0">${more}<device><friendlyName>Kitchen</friendlyName><deviceList><device><serviceList>${services}</serviceList></device></deviceList></device></root>`

async function open(respond: (path: string, body: string) => { status?: number; xml: string }) {
  const received: string[] = []
  const { baseUrl } = await startTestServer(async (response, request) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push(`${request.headers.host} ${request.url}`)
    const { status = 200, xml } = respond(request.url!, body)
    response.writeHead(status).end(xml)
  })
  const url = new URL('/description.xml', baseUrl)
  const address = { host: url.hostname, port: Number(url.port) }
  const device = { RED: speakerTexts.en, name: 'DLNA player', address, responseMs: 1_000 }
  const renderer = Renderer.open(device, url, AbortSignal.timeout(5_000))
  return { renderer, received, host: url.host }
}

const response = (action: string, values: string) =>
  `<s:Envelope xmlns:s="e"><s:Body><u:${action}Response xmlns:u="t">${values}</u:${action}Response></s:Body></s:Envelope>`

describe('a renderer', () => {
  it('may be a part of another device', async () => {
    const { renderer } = await open((path) => ({
      xml: path.endsWith('.xml')
        ? description(service('AVTransport', 'control'))
        : response('GetTransportInfo', '<CurrentTransportState>STOPPED</CurrentTransportState>'),
    }))
    const opened = await renderer
    expect(opened.name).toBe('Kitchen')
    expect(opened.hasVolume).toBe(false)
    const values = await opened.transport('GetTransportInfo')
    expect([...values]).toEqual([['CurrentTransportState', 'STOPPED']])
  })

  it.each([
    ['its control address', 'http://192.0.2.1:99/control', ''],
    ['its base', 'control', '<URLBase>http://192.0.2.1:99/</URLBase>'],
  ])('receives all requests itself, also if %s names another host', async (_what, url, more) => {
    const { renderer, received, host } = await open((path) => ({
      xml: path.endsWith('.xml')
        ? description(service('AVTransport', url), more)
        : response('Stop', ''),
    }))
    await (await renderer).transport('Stop')
    expect(received).toEqual([`${host} /description.xml`, `${host} /control`])
  })

  it('says why it rejects an action', async () => {
    const fault =
      '<s:Envelope xmlns:s="e"><s:Body><s:Fault><faultstring>UPnPError</faultstring><detail><UPnPError><errorCode>716</errorCode><errorDescription>Resource not found</errorDescription></UPnPError></detail></s:Fault></s:Body></s:Envelope>'
    const { renderer } = await open((path) =>
      path.endsWith('.xml')
        ? { xml: description(service('AVTransport', '/c')) }
        : { status: 500, xml: fault },
    )
    await expect((await renderer).transport('Play')).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringContaining('Resource not found, 716'),
    })
  })

  it.each([
    ['a web page', '<html><body>Hello</body></html>'],
    ['a server of media', description(service('ContentDirectory', '/c'))],
    ['a device at an address of another kind', description(service('AVTransport', 'ftp://x/c'))],
    ['too much', `<root>${' '.repeat(300_000)}</root>`],
  ])('is not %s', async (_what, xml) => {
    const { renderer } = await open(() => ({ xml }))
    await expect(renderer).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
  })

  it('is not a device that sends us elsewhere', async () => {
    const { baseUrl, requests } = await startTestServer((response) => void response.end())
    const elsewhere = await startTestServer(
      (response) => void response.writeHead(302, { location: baseUrl }).end(),
    )
    const url = new URL(elsewhere.baseUrl)
    const address = { host: url.hostname, port: Number(url.port) }
    const device = { RED: speakerTexts.en, name: 'DLNA player', address, responseMs: 1_000 }
    const renderer = Renderer.open(device, url, AbortSignal.timeout(5_000))
    await expect(renderer).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
    expect(requests).toEqual([])
  })
})
