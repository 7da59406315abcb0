// Runs in the network of a UPnP renderer: a proxy to the server of the test, the renderer, and a control point that plays
// each address from standard input.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const [name, networkInterface, host, port, socket] = process.argv.slice(2)
const limitMs = 30_000

const unusedPlugins = ['MediaExport', 'Tracker3', 'External', 'MPRIS', 'GstLaunch', 'LMS']
const commands = {
  gmediarender: [
    'gmediarender',
    '--interface-name',
    networkInterface,
    '--gstout-audiosink',
    'pulsesink',
    '--gstout-initial-volume-db',
    '0.0',
  ],
  rygel: [
    'dbus-run-session',
    '--',
    'rygel',
    '--network-interface',
    networkInterface,
    ...unusedPlugins.flatMap((plugin) => ['--disable-plugin', plugin]),
  ],
}

const proxy = createServer((client) => {
  const server = connect(socket)
  client.pipe(server).pipe(client)
  client.on('error', () => server.destroy()).on('close', () => server.destroy())
  server.on('error', () => client.destroy()).on('close', () => client.destroy())
}).listen(Number(port), host)
await once(proxy, 'listening')

const [program, ...options] = commands[name]
// In a process group of its own, since rygel is a child of the session.
const renderer = spawn(program, options, { stdio: 'ignore', detached: true })
try {
  const { AVTransport: transport } = await readServices(await findRenderer())
  console.log('ready')
  for await (const url of createInterface(process.stdin)) {
    await play(transport, url)
    console.log('ended')
  }
} finally {
  process.kill(-renderer.pid)
  proxy.close()
}

async function waitFor(what, find) {
  for (const limit = Date.now() + limitMs; Date.now() < limit; await delay(100)) {
    const found = await find()
    if (found) return found
  }
  throw new Error(`${name}: no ${what} within ${limitMs} ms`)
}

/** Searches by SSDP. Renderers of neighbours may respond, too. @returns the address of the description. */
async function findRenderer() {
  const search = [
    'M-SEARCH * HTTP/1.1',
    'HOST: 239.255.255.250:1900',
    'MAN: "ssdp:discover"',
    'MX: 1',
    'ST: urn:schemas-upnp-org:device:MediaRenderer:1',
    '\r\n',
  ].join('\r\n')
  let location
  const udp = createSocket('udp4').on('message', (response) => {
    const found = /^location:\s*(\S+)/im.exec(response)?.[1]
    if (found && new URL(found).hostname === host) location = found
  })
  await new Promise((resolve) => udp.bind(0, host, resolve))
  udp.setMulticastInterface(host)
  try {
    return await waitFor('response to a search', async () => {
      udp.send(search, 1900, '239.255.255.250')
      await delay(200)
      return location
    })
  } finally {
    udp.close()
  }
}

/** Type and address of each service in the description of the renderer. */
async function readServices(location) {
  const services = (await (await fetch(location)).text()).matchAll(/<service>(.*?)<\/service>/gs)
  return Object.fromEntries(
    [...services].map(([, service]) => {
      const type = /<serviceType>([^<]+)/.exec(service)[1]
      const path = /<controlURL>([^<]+)/.exec(service)[1]
      return [type.split(':')[3], { type, url: new URL(path, location) }]
    }),
  )
}

async function play(transport, url) {
  const call = (action, values = {}) => callAction(transport, action, { InstanceID: 0, ...values })
  await call('SetAVTransportURI', { CurrentURI: url, CurrentURIMetaData: metadata(url) })
  await call('Play', { Speed: 1 })
  const isIn = async (...states) =>
    states.includes((await call('GetTransportInfo')).CurrentTransportState)
  await waitFor('start', () => isIn('PLAYING'))
  await waitFor('end', () => isIn('STOPPED', 'NO_MEDIA_PRESENT'))
}

function metadata(url) {
  const namespaces = [
    'xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"',
  ]
  return [
    `<DIDL-Lite ${namespaces.join(' ')}><item id="1" parentID="0" restricted="1">`,
    '<dc:title>Announcement</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>',
    `<res protocolInfo="http-get:*:audio/mpeg:*">${escaped(url)}</res></item></DIDL-Lite>`,
  ].join('')
}

/** Calls an action of a service by SOAP. @returns the values in the response. */
async function callAction({ type, url }, action, values) {
  const elements = Object.entries(values).map(
    ([key, value]) => `<${key}>${escaped(value)}</${key}>`,
  )
  const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
  const encoding = 'http://schemas.xmlsoap.org/soap/encoding/'
  const body = [
    `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${envelope}" s:encodingStyle="${encoding}">`,
    `<s:Body><u:${action} xmlns:u="${type}">${elements.join('')}</u:${action}></s:Body></s:Envelope>`,
  ].join('')
  const headers = { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${type}#${action}"` }
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${action}: ${response.status} ${text}`)
  return Object.fromEntries(
    [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, key, value]) => [key, value]),
  )
}

function escaped(value) {
  return String(value).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
