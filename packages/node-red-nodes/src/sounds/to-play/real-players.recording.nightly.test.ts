import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { httpPlayers } from '@parlando/test-support/players/programs/http-players'
import {
  needsNetwork,
  renderers,
  startRenderer,
  upnpNetwork,
} from '@parlando/test-support/players/upnp/upnp-network'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { type SoundServer, serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../sound.ts'

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

describe('the address of a sound', () => {
  for (const { programs, play } of casesToRun(httpPlayers, 2)) {
    it.concurrent(
      `is played by ${programs[0]}: every word, in order, also while the sound is being made`,
      needs(...pulsePrograms, ...programs),
      async () => {
        const pulse = await startPulse()
        const server = await serveSounds()
        const heard = await playBoth((url) => play(url, pulse.environment), pulse, server)
        await server.close()
        await pulse.stop()
        expect(heard).toEqual(everyWord)
      },
    )
  }
})

describe('the address of a sound in a network', needsNetwork(), () => {
  // In the same network, each search would find both renderers.
  const test = upnpNetwork?.isOwn ? it.concurrent : it
  for (const program of casesToRun(renderers, 1)) {
    test(
      `is played by the UPnP renderer ${program}: every word, in order, also while the sound is being made`,
      needs(...pulsePrograms, program),
      async () => {
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
  }
})
