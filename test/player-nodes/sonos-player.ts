import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { AddressPlayer } from '@parlando/test-support/players/stand-ins/playback/address-player'

/** Its own on the loopback interface, since every Sonos player has the same port. */
const host = '127.14.0.1'
const port = 1400
const household = 'Sonos_test'
const id = 'RINCON_000000000000001400'

const group = `<ZoneGroupState><ZoneGroups><ZoneGroup Coordinator="${id}" ID="${id}:1"><ZoneGroupMember UUID="${id}" Location="http://${host}:${port}/xml/device_description.xml" ZoneName="Room"/></ZoneGroup></ZoneGroups></ZoneGroupState>`

export interface SonosPlayer {
  host: string
  /** The names of the actions that were called, in order. */
  actions: string[]
  /** What it plays, or would play. */
  address(): string
  close(): Promise<void>
}

/** A Sonos player that plays for real. Its responses follow the descriptions of its UPnP services. */
export async function startSonosPlayer(environment: NodeJS.ProcessEnv): Promise<SonosPlayer> {
  const player = new AddressPlayer(environment)
  const actions: string[] = []
  let address = 'x-rincon-queue:music'
  let state = 'STOPPED'
  const play = async () => {
    state = 'PLAYING'
    if (!address.startsWith('http')) return
    await player.play(address, 1)
    state = 'STOPPED'
  }
  const responses: Readonly<Record<string, (body: string) => Record<string, unknown>>> = {
    GetZoneGroupState: () => ({ ZoneGroupState: group }),
    Browse: () => ({ Result: '', NumberReturned: 0, TotalMatches: 0, UpdateID: 1 }),
    GetTransportInfo: () => ({
      CurrentTransportState: state,
      CurrentTransportStatus: 'OK',
      CurrentSpeed: 1,
    }),
    GetMediaInfo: () => ({ NrTracks: 0, CurrentURI: address, CurrentURIMetaData: '' }),
    // It knows no duration of a stream.
    GetPositionInfo: () => ({ Track: 1, TrackDuration: '0:00:00', RelTime: '0:00:00' }),
    SetAVTransportURI(body) {
      address = fromXml(fromXml(/<CurrentURI>(.*?)<\/CurrentURI>/s.exec(body)?.[1] ?? ''))
      return {}
    },
    Play() {
      void play()
      return {}
    },
    Stop() {
      void player.stop()
      return {}
    },
  }
  const server = createServer(async (request, response) => {
    if (request.url === '/info') return response.end(JSON.stringify({ householdId: household }))
    const [, service, action = ''] = /"(.+)#(.+)"/.exec(String(request.headers.soapaction)) ?? []
    const body = await read(request)
    actions.push(action)
    const fields = responses[action]?.(body) ?? {}
    const tags = Object.entries(fields).map(([name, value]) => `<${name}>${toXml(value)}</${name}>`)
    const result = `<u:${action}Response xmlns:u="${service}">${tags.join('')}</u:${action}Response>`
    const envelope = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>${result}</s:Body></s:Envelope>`
    response.setHeader('content-type', 'text/xml; charset="utf-8"').end(envelope)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    host,
    actions,
    address: () => address,
    async close() {
      server.closeAllConnections()
      server.close()
      await player.stop()
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function toXml(value: unknown): string {
  return String(value).replace(/[&<>"]/g, (found) => entities[found as '&'])
}

function fromXml(text: string): string {
  return Object.entries(entities).reduceRight(
    (result, [to, from]) => result.replaceAll(from, to),
    text,
  )
}
