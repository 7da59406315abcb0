import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { type Renderer, startRenderer } from '@parlando/test-support/players/upnp/upnp-network'
import type { Program } from '@parlando/test-support/programs/installed-programs'
import { type SoundServer, serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { soundOf } from '../../../sounds/sound.ts'
import type {
  CreateDriverCase,
  DeviceCase,
  DriverCase,
} from '../../test-suites/driver-test-case.ts'
import { createDlnaDriver, type DlnaOptions } from './dlna.ts'

export const programs: readonly Program[] = ['gmediarender']

const RED = speakerTexts.en
const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const

interface Judge {
  pulse: Pulse
  renderer: Renderer
  server: SoundServer
  driverOf(renderer: string, options?: Partial<DlnaOptions>): ReturnType<typeof createDlnaDriver>
  close(): Promise<void>
}

async function startJudge(program: string): Promise<Judge> {
  const folder = await mkdtemp(join(tmpdir(), 'dlna-'))
  const socket = join(folder, 'socket')
  const pulse = await startPulse()
  const renderer = await startRenderer(program, socket, pulse.environment)
  const server = await serveSounds({ proxy: { socket, baseUrl: renderer.baseUrl } })
  return {
    pulse,
    renderer,
    server,
    driverOf: (address, options) =>
      createDlnaDriver({ RED, sounds: server.sounds, config: { renderer: address }, ...options }),
    async close() {
      await renderer.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export async function createCaseOf(program: string): Promise<DriverCase> {
  const { pulse, renderer, driverOf, close } = await startJudge(program)
  return {
    driver: driverOf(renderer.description),
    record: pulse.record,
    broken: { driver: driverOf('http://127.0.0.1:2/description'), code: 'SPEAKER_NOT_REACHABLE' },
    close,
  }
}

const createCase: CreateDriverCase = () => createCaseOf('gmediarender')
export default createCase

export async function createDeviceCase(): Promise<DeviceCase> {
  const { pulse, renderer, server, driverOf, close } = await startJudge('gmediarender')
  const driver = driverOf(renderer.description)
  return {
    driver,
    at: (address, responseMs) =>
      driverOf(`http://${address}/`, { ...(responseMs && { responseMs }) }),
    record: pulse.record,
    // Its scale for the volume is its own.
    volumeErrorDb: 3,
    async playMusic() {
      const pcm = tone({ hertz: 300, seconds: 60, ...format })
      const music = soundOf(format, await encodeMp3(pcm, format))
      const { url } = server.sounds.publish(music)
      // Music has another address than announcements.
      await renderer.playMusic(url.replace('/parlando/sounds/', '/music/'))
    },
    kill: renderer.kill,
    start: renderer.start,
    close,
  }
}
