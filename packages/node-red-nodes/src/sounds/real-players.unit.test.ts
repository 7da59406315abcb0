import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeMp3 } from '@parlando/test-support/audio/encode-mp3'
import { hasPulse, type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { tone } from '@parlando/test-support/audio/tone'
import { findProgram } from '@parlando/test-support/find-program'
import { type SoundServer, serveSounds } from '@parlando/test-support/node-red/serve-sounds'
import { httpPlayers } from '@parlando/test-support/players/http-players'
import { renderers, startRenderer, upnpNetwork } from '@parlando/test-support/players/upnp-network'
import { describe, expect, it } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from './sound.ts'

const sampleRateHertz = 44_100
const format: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz }
const toneSeconds = 0.25
const leadMs = 500

/** A tone for each word: 500 Hz, 600 Hz and so on. */
const words = (count: number) => Array.from({ length: count }, (_word, index) => 500 + 100 * index)

const encode = (hertz: readonly number[]) => {
  const tones = hertz.map((hertz) => tone({ hertz, seconds: toneSeconds, sampleRateHertz }))
  return encodeMp3(Buffer.concat(tones), { sampleRateHertz })
}

/** A sound that is made in real time, half a second ahead of its playback. */
function making(bytes: Buffer, seconds: number): Sound {
  const sound = createSound(format)
  const bytesPerMs = bytes.length / (seconds * 1000)
  const startedAt = performance.now()
  const make = async () => {
    for (let made = 0; made < bytes.length; await delay(100)) {
      const due = Math.ceil((performance.now() - startedAt + leadMs) * bytesPerMs)
      sound.append(bytes.subarray(made, due))
      made = due
    }
    sound.complete()
  }
  void make()
  return sound
}

const isInstalled = (program: string) =>
  findProgram(program, `whether ${program} plays the address of a sound is not tested`)

/** Plays a sound that is complete, and one that takes 5 seconds to make. */
async function playBoth(
  play: (url: string) => Promise<void>,
  pulse: Pulse,
  { sounds }: SoundServer,
): Promise<number[][]> {
  const record = async (sound: Sound) => {
    const recording = await pulse.record()
    await play(sounds.publish(sound).url)
    return (await recording.stop()).tonesHertz
  }
  const complete = await record(soundOf(format, await encode(words(8))))
  const growing = await record(making(await encode(words(22)), 5.5))
  return [complete, growing]
}

const everyWord = [words(8), words(22)]
/** A busy machine can keep a player from running for longer than the sound that it holds. */
const tries = { retry: 2 }

describe.skipIf(!hasPulse)('the address of a sound', () => {
  it.concurrent.each(Object.entries(httpPlayers).filter(([program]) => isInstalled(program)))(
    'is played by %s: every word, in order, also while the sound is being made',
    tries,
    async (_program, play) => {
      const pulse = await startPulse()
      const server = await serveSounds()
      const heard = await playBoth((url) => play(url, pulse.environment), pulse, server)
      await server.close()
      await pulse.stop()
      expect(heard).toEqual(everyWord)
    },
  )
})

describe.skipIf(!hasPulse || !upnpNetwork)('the address of a sound in a network', () => {
  // In the same network, each search would find both renderers.
  const test = upnpNetwork?.isOwn ? it.concurrent : it
  test.each(renderers.filter(isInstalled))(
    'is played by the UPnP renderer %s: every word, in order, also while the sound is being made',
    tries,
    async (program) => {
      const folder = await mkdtemp(join(tmpdir(), 'sounds-'))
      const socket = join(folder, 'socket')
      const pulse = await startPulse()
      const renderer = await startRenderer(program, socket, pulse.environment)
      const server = await serveSounds({ proxy: { socket, baseUrl: renderer.baseUrl } })
      const heard = await playBoth(renderer.play, pulse, server)
      await renderer.close()
      await server.close()
      await pulse.stop()
      await rm(folder, { recursive: true })
      expect(heard).toEqual(everyWord)
    },
  )
})
