import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keys } from '../secrets/keys.ts'
import { freePort } from '../servers/addresses.ts'
import { Decoding } from './decoding.ts'
import { endWithProcess } from './end-with-process.ts'
import { PcmPlayer } from './pcm-player.ts'

/** A go2rtc with the cameras `door`, which plays on a sound server, and `mute`, which has no speaker. */
export interface Go2rtc {
  address: string
  user: string
  password: string
  /** Ends it without a goodbye, and starts it again. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const user = 'me'
const password = keys.service
/** What the camera understands. */
const rateHertz = 8000
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
    ...{ address: `http://127.0.0.1:${port}`, user, password },
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
    this.#player = new PcmPlayer(environment, rateHertz, 1)
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
    const decoding = new Decoding(address, { rateHertz, channels: 1, input, output })
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

/** Starts a real go2rtc. @param program its path. */
export async function startRealGo2rtc(
  environment: NodeJS.ProcessEnv,
  program: string,
): Promise<Go2rtc> {
  const folder = await mkdtemp(join(tmpdir(), 'go2rtc-'))
  const port = await freePort()
  const camera = join(folder, 'camera')
  const play = `pacat --raw --format=alaw --rate=${rateHertz} --channels=1 --latency-msec=100`
  await writeFile(camera, `#!/bin/sh\nexec ${play}\n`, { mode: 0o755 })
  const settings = {
    api: { listen: `127.0.0.1:${port}`, username: user, password, local_auth: true },
    rtsp: { listen: `127.0.0.1:${await freePort()}` },
    webrtc: { listen: '' },
    streams: {
      door: [`exec:${camera}#backchannel=1#audio=pcma/${rateHertz}`],
      mute: ['rtsp://127.0.0.1:2/x'],
    },
  }
  // JSON is YAML.
  await writeFile(join(folder, 'go2rtc.yaml'), JSON.stringify(settings))
  const address = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const start = async () => {
    const options = { cwd: folder, env: environment, stdio: 'ignore' } as const
    child = endWithProcess(spawn(program, ['-config', join(folder, 'go2rtc.yaml')], options))
    while (!(await fetch(address).catch(() => undefined))) await delay(50)
  }
  await start()
  return {
    ...{ address, user, password, kill, start },
    async close() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}
