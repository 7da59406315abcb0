import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soundOf } from '../../../packages/node-red-nodes/src/sounds/sound.ts'
import type { SoundStore } from '../../../packages/node-red-nodes/src/sounds/to-play/sound-store.ts'
import type { Driver } from '../../../packages/node-red-nodes/src/speakers/driver.ts'
import { createDlnaDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/dlna/dlna.ts'
import { createGo2rtcDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/go2rtc/go2rtc.ts'
import { createMpdDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/mpd/mpd.ts'
import { createSnapcastDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/snapcast/snapcast.ts'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'
import { expectErrorForUsers, maxLeftMebibytes } from '../setups/hostile-player.ts'

/** A kind of device: what it says when somebody connects, and then after each request. */
interface DeviceKind {
  good: readonly Bytes[]
  /** Each request has a connection of its own, and what the device says follows a request. */
  isHttp?: true
  create(address: string, sounds: SoundStore): Driver
}

const responseMs = 50
const RED = speakerTexts.en
const mpdStatus = `volume: 50\nrepeat: 0\nrandom: 0\nsingle: 0\nconsume: 0\nstate: play\nsong: 3\nsongid: 9
elapsed: 1.500\nduration: 200.100\naudio: 44100:16:2\nOK\n`

const snapcastStatus = `${JSON.stringify({
  id: 1,
  jsonrpc: '2.0',
  result: {
    server: {
      groups: [
        {
          id: 'g',
          muted: false,
          stream_id: 'House',
          clients: [{ id: 'c', connected: true, config: { latency: 0 } }],
        },
      ],
      streams: [
        {
          id: 'Parlando',
          status: 'idle',
          uri: {
            scheme: 'tcp',
            host: '127.0.0.1:2',
            query: { sampleformat: '48000:16:2', chunk_ms: '20' },
          },
        },
        {
          id: 'House',
          status: 'playing',
          uri: { scheme: 'meta', path: '/Parlando/Music', query: {} },
        },
      ],
    },
  },
})}\r\n`
const xmlResponse = (xml: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${xml.length}\r\n\r\n${xml}`
const service = (name: string) =>
  `<service><serviceType>urn:schemas-upnp-org:service:${name}:1</serviceType><controlURL>/${name}</controlURL></service>`
const rendererDescription = xmlResponse(
  `<root><device><friendlyName>Kitchen</friendlyName><serviceList>${service('AVTransport')}${service('RenderingControl')}</serviceList></device></root>`,
)
const actionResponse = (action: string, values = '') =>
  xmlResponse(
    `<s:Envelope xmlns:s="e"><s:Body><u:${action}Response xmlns:u="t">${values}</u:${action}Response></s:Body></s:Envelope>`,
  )
const jsonResponse = (json: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
const go2rtcStream = jsonResponse('{"producers":[{"url":"rtsp://192.0.2.1/x"}],"consumers":[]}')
const transportInfo = actionResponse(
  'GetTransportInfo',
  '<CurrentTransportState>PLAYING</CurrentTransportState>',
)

const kinds: Readonly<Record<string, DeviceKind>> = {
  dlna: {
    isHttp: true,
    good: [
      rendererDescription,
      rendererDescription,
      transportInfo,
      actionResponse('GetMediaInfo', '<CurrentURI>http://192.0.2.1/music</CurrentURI>'),
      actionResponse('GetPositionInfo', '<RelTime>0:01:00</RelTime>'),
      actionResponse('Stop'),
      actionResponse('GetTransportInfo', '<CurrentTransportState>STOPPED</CurrentTransportState>'),
      actionResponse('GetVolume', '<CurrentVolume>50</CurrentVolume>'),
      actionResponse('SetVolume'),
      actionResponse('GetVolume', '<CurrentVolume>40</CurrentVolume>'),
      actionResponse('SetAVTransportURI'),
      actionResponse('GetCurrentTransportActions', '<Actions>Play</Actions>'),
      actionResponse('Play'),
      transportInfo,
    ],
    create: (address, sounds) =>
      createDlnaDriver({
        RED,
        sounds,
        responseMs,
        config: { renderer: `http://${address}/description.xml` },
      }),
  },
  go2rtc: {
    isHttp: true,
    good: [
      go2rtcStream,
      go2rtcStream,
      jsonResponse('{"producers":[{"url":"http://192.0.2.1/x"}],"consumers":null}'),
      jsonResponse('{"door":{"producers":[]},"garden":{"producers":[]}}'),
    ],
    create: (address, sounds) =>
      createGo2rtcDriver({
        RED,
        sounds,
        responseMs,
        config: {
          ...{ go2rtc: `http://${address}`, go2rtcStream: 'door' },
          ...{ go2rtcUser: 'me', go2rtcPassword: keys.service },
        },
      }),
  },
  mpd: {
    good: [
      'OK MPD 0.23.5\n',
      mpdStatus,
      'Id: 9\nOK\n',
      'OK\n',
      'OK\n',
      mpdStatus,
      'changed: player\nOK\n',
    ],
    create: (address, sounds) =>
      createMpdDriver({
        RED,
        sounds,
        responseMs,
        config: { mpd: address, mpdPassword: keys.service },
      }),
  },
  snapcast: {
    good: [
      '',
      snapcastStatus,
      snapcastStatus,
      '{"jsonrpc":"2.0","method":"Stream.OnUpdate","params":{"id":"Parlando"}}\n',
    ],
    create: (address) => createSnapcastDriver({ RED, responseMs, config: { snapcast: address } }),
  },
}

const endless = [
  'x'.repeat(1_000_000),
  '\n'.repeat(1_000_000),
  'a: b\n'.repeat(200_000),
  '['.repeat(1_000_000),
  '{}\n'.repeat(300_000),
  `${'['.repeat(500_000)}\n`,
  '\0'.repeat(1_000_000),
  '9'.repeat(100_000).concat('\n'),
]

const scriptOf = (good: readonly Bytes[]) => {
  const response = fc
    .constantFrom(...good)
    .chain((bytes) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(bytes) },
        { weight: 4, arbitrary: damaged(bytes, 1) },
        { weight: 1, arbitrary: fc.constantFrom(...endless) },
        { weight: 1, arbitrary: fc.constant('') },
      ),
    )
  const parts = good.map((bytes) =>
    fc.oneof({ weight: 8, arbitrary: fc.constant(bytes) }, { weight: 1, arbitrary: response }),
  )
  return fc.oneof(fc.tuple(...parts), fc.array(response, { minLength: 1, maxLength: 10 }))
}

it.each(Object.entries(kinds))('%s may respond with anything', async (_name, kind) => {
  const { sounds, ...server } = await serveSounds()
  const sound = () => soundOf({ audioEncoding: 'PCM', sampleRateHertz: 48_000 }, Buffer.alloc(9600))
  const playOn = async (script: readonly Bytes[]) => {
    const all = script.map((bytes) => Buffer.from(bytes, 'latin1'))
    const device = await startScriptedDevice((socket) => {
      const rest = kind.isHttp ? all : [...all]
      const say = () => {
        const next = rest.shift()
        if (next) socket.write(next)
      }
      if (!kind.isHttp) say()
      socket.on('data', say)
    })
    const driver = kind.create(device.address, sounds)
    const stopped = new Error('stopped')
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(stopped), 150)
    try {
      await driver.prepare(stop.signal)
      const options = { signal: stop.signal, volume: 50, onFirstSound() {}, handOut() {} }
      await driver.play(sound(), options)
    } catch (error) {
      if (error === stopped) return
      expectErrorForUsers(error)
    } finally {
      clearTimeout(timer)
      await driver.close()
      await device.close()
    }
  }
  const before = await heldMebibytes()
  const watchdog = watchEventLoop<readonly Bytes[]>()
  await fuzz(scriptOf(kind.good), (script) => watchdog.watch(script, () => playOn(script)), {
    lanes: 4,
    share: 0.2,
  })
  for (const script of watchdog.stop()) {
    const held = await measureHold(() => playOn(script))
    expect(held, script.map((bytes) => bytes.slice(0, 100)).join('|')).toBeLessThan(maxHoldMs)
  }
  expect((await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
  // It fetches nothing that a device names.
  expect(server.requests).toEqual([])
  await server.close()
})
