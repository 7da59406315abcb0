// Runs in the network of a UPnP renderer: the renderer, a proxy between it and the test, and a control point. Reads commands from
// standard input, a line each: `play` and `music` with an address, `kill` and `start`.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const [name, networkInterface, host, port, soundSocket, rendererSocket] = process.argv.slice(2)
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

/** Passes on what arrives. @param target where to, at the time of each connection. */
async function startProxy(target, ...place) {
  const proxy = createServer((client) => {
    const server = connect(target())
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    // After its end, the client still reads what it was sent.
    server.on('error', () => client.destroy())
  }).listen(...place)
  await once(proxy, 'listening')
  return proxy
}

let renderer
let description
const proxies = [
  await startProxy(() => ({ path: soundSocket }), Number(port), host),
  await startProxy(() => ({ host, port: Number(new URL(description).port) }), rendererSocket),
]

async function start() {
  const [program, ...options] = commands[name]
  // In a process group of its own, since rygel is a child of the session.
  renderer = spawn(program, options, { stdio: 'ignore', detached: true })
  description = await findRenderer()
  console.log(`ready ${description}`)
}

async function kill(signal) {
  const exited = once(renderer, 'exit')
  process.kill(-renderer.pid, signal)
  await exited
}

try {
  await start()
  for await (const line of createInterface(process.stdin)) {
    const [command, url] = line.split(' ')
    if (command === 'start') await start()
    else if (command === 'kill') await kill('SIGKILL')
    else {
      const { AVTransport: transport } = await readServices(description)
      await begin(transport, url)
      if (command === 'play') await ended(transport)
    }
    if (command !== 'start') console.log('done')
  }
} finally {
  if (renderer.exitCode === null && renderer.signalCode === null) await kill('SIGTERM')
  for (const proxy of proxies) proxy.close()
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

function call(transport, action, values = {}) {
  return callAction(transport, action, { InstanceID: 0, ...values })
}

async function isIn(transport, ...states) {
  return states.includes((await call(transport, 'GetTransportInfo')).CurrentTransportState)
}

async function begin(transport, url) {
  await call(transport, 'SetAVTransportURI', { CurrentURI: url, CurrentURIMetaData: metadata(url) })
  await call(transport, 'Play', { Speed: 1 })
  await waitFor('start', () => isIn(transport, 'PLAYING'))
}

async function ended(transport) {
  await waitFor('end', () => isIn(transport, 'STOPPED', 'NO_MEDIA_PRESENT'))
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
