import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { cameraRateHertz, type Go2rtc, go2rtcLogin } from '../programs/go2rtc.ts'
import { Decoding } from './playback/decoding.ts'
import { PcmPlayer } from './playback/pcm-player.ts'

/** go2rtc leaves the camera time to play what it has received. */
const endMs = 1000

/**
 * A stand-in for the HTTP API of go2rtc, with its real ffmpeg. It responds as go2rtc 1.9.14 has responded, and a test of systems
 * lets a real one do the same.
 * @param environment The sound server on which the camera plays.
 */
export async function startGo2rtcStandIn(environment: NodeJS.ProcessEnv): Promise<Go2rtc> {
  const camera = new StandInCamera(environment)
  const server = createServer((request, response) => void respond(camera, request, response))
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const kill = async () => {
    await camera.stop()
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    ...{ address: `http://127.0.0.1:${port}`, ...go2rtcLogin },
    kill,
    start: async () => void (await listen(port)),
    close: kill,
  }
}

const streams = {
  door: { producers: [{ url: 'exec:camera#backchannel=1#audio=pcma/8000' }], consumers: [] },
  mute: { producers: [{ url: 'rtsp://***@127.0.0.1:2/x' }], consumers: null },
}

async function respond(
  camera: StandInCamera,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: unknown) => {
    const text = typeof body === 'string' ? `${body}\n` : JSON.stringify(body)
    response.writeHead(status).end(text)
  }
  const { user, password } = go2rtcLogin
  const token = Buffer.from(`${user}:${password}`).toString('base64')
  if (headers.authorization !== `Basic ${token}`) return send(401, 'Unauthorized')
  const { pathname, searchParams: query } = new URL(url!, 'http://localhost')
  if (pathname !== '/api/streams') return send(404, '404 page not found')
  const source = query.get('src') ?? ''
  const state = (name: string) => (name === 'door' ? camera.state : streams.mute)
  if (method === 'GET') {
    if (!source) return send(200, { ...streams, door: camera.state })
    return Object.hasOwn(streams, source) ? send(200, state(source)) : send(404, '')
  }
  const name = query.get('dst') ?? ''
  if (!Object.hasOwn(streams, name)) return send(404, '')
  if (/\s/.test(source)) return send(400, 'streams: source with spaces may be insecure')
  if (name === 'mute' && source) return send(500, "can't find consumer")
  await camera.stop()
  if (source) void camera.play(source)
  send(200, state(name))
}

class StandInCamera {
  readonly #player: PcmPlayer
  #playing: { address: string; hasBegun: boolean } | undefined
  #source: Decoding | undefined

  constructor(environment: NodeJS.ProcessEnv) {
    this.#player = new PcmPlayer(environment, cameraRateHertz, 1)
  }

  get state(): object {
    const { address, hasBegun } = this.#playing ?? {}
    if (!address) return streams.door
    const own = hasBegun
      ? {
          id: 6,
          format_name: 'wav',
          source: `exec:ffmpeg -re -i ${address} -f wav -`,
          url: address,
        }
      : { id: 3, format_name: 'ffmpeg' }
    return { ...streams.door, producers: [...streams.door.producers, own] }
  }

  /** @param source `ffmpeg:ADDRESS#audio=CODEC#input=file`, and each `#raw=` is a word for ffmpeg. */
  async play(source: string): Promise<void> {
    const [, address = '', options = ''] = /^ffmpeg:([^#]*)(.*)$/.exec(source) ?? []
    const playing = { address, hasBegun: false }
    this.#playing = playing
    const given = options.split('#').map((option) => option.split(/=(.*)/))
    const valuesOf = (name: string) =>
      given.filter(([key]) => key === name).map(([, value]) => value!)
    const input = valuesOf('input').includes('file') ? ['-re'] : []
    const output = valuesOf('raw')
    const decoding = new Decoding(address, {
      rateHertz: cameraRateHertz,
      channels: 1,
      input,
      output,
    })
    this.#source = decoding
    if (await decoding.ready()) {
      playing.hasBegun = true
      await this.#player.play(decoding.read(), 1)
      await delay(endMs)
    }
    if (this.#playing === playing) this.#playing = undefined
  }

  async stop(): Promise<void> {
    this.#playing = undefined
    await this.#source?.end()
    await this.#player.stop()
  }
}
