import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import {
  createRecordedSound,
  recordingRateHertz,
} from '@parlando/test-support/audio/recorded-sound'
import {
  findProgram,
  needs,
  type Program,
} from '@parlando/test-support/programs/installed-programs'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../sounds/sound.ts'
import { createMachineDriver } from '../../speakers/kinds/machine/machine.ts'
import { sampleRateHertz } from '../microphone-recording.ts'
import { type RecordOptions, record } from './record.ts'

/** Texts as keys and values. */
const RED = {
  _: (key: string, values: object) => [key, ...Object.values(values ?? {})].join(' | '),
} as RecordOptions['RED']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorders-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  const programs = runningChildProcesses().map(({ spawnfile }) => spawnfile)
  expect(programs.filter((program) => program.startsWith(folder))).toEqual([])
})

/** A folder for PATH. @param recorders a shell script in place of each recorder, or the installed one. */
async function pathWith(recorders: Record<string, true | string>): Promise<string> {
  const path = await mkdtemp(join(folder, 'path-'))
  for (const [name, script] of Object.entries(recorders)) {
    if (script === true) await symlink(findProgram(name as Program)!, join(path, name))
    else await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  return path
}

/** Records until enough bytes have arrived. */
async function recordBytes(
  recorders: Record<string, true | string>,
  minBytes: number,
  options: Partial<RecordOptions> = {},
): Promise<Buffer> {
  const ending = new AbortController()
  let pcm = Buffer.alloc(0)
  const environment = { ...options.environment, PATH: await pathWith(recorders) }
  await record({
    RED,
    device: '',
    signal: ending.signal,
    onPcm(piece) {
      expect(piece.length % 2).toBe(0)
      pcm = Buffer.concat([pcm, piece])
      if (pcm.length >= minBytes) ending.abort()
    },
    ...options,
    environment,
  })
  return pcm
}

describe('this machine as microphone', () => {
  it('records what its sound device receives', needs(...pulsePrograms), async () => {
    const pulse = await startPulse()
    onTestFinished(() => pulse.stop())
    const { environment } = pulse
    const driver = createMachineDriver({ RED, environment })
    onTestFinished(() => driver.close())
    const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
    const beep = tone({ seconds: 2, hertz: 500, sampleRateHertz: 24_000 })
    const signal = AbortSignal.timeout(20_000)
    const playback = { signal, volume: 100, onFirstSound() {}, handOut() {} }
    const played = driver.play(soundOf(format, beep), playback)
    const pcm = await recordBytes({ parec: true }, 3 * 2 * sampleRateHertz, { environment })
    await played
    expect(tripled(pcm).tonesHertz).toEqual([500])
  })

  it('joins the halves of a sample, and ends the program with the recording', async () => {
    const parec = 'printf abc; /bin/sleep 0.05; printf d; exec /bin/sleep 60'
    expect(String(await recordBytes({ parec }, 4))).toBe('abcd')
  })

  it('takes the next program if one finds no device', async () => {
    const parec = 'echo "No such device" >&2; exit 1'
    const arecord = 'printf ab; exec /bin/sleep 60'
    expect(String(await recordBytes({ parec, arecord }, 2))).toBe('ab')
  })

  it('passes on the name of the device without a shell', async () => {
    const arecord = 'printf "%s " "$1" >&2; exit 1'
    const device = 'hw:1; touch x $(y)'
    const error = await recordBytes({ arecord }, 2, { device }).catch((error) => error)
    expect(error.message).toContain(`--device=${device}`)
  })

  it.each([
    ['without any program', {}, 'microphone.error.no-recorder |  | microphone.advice.'],
    [
      'that finds no device',
      { parec: 'echo "No such device" >&2; exit 1', arecord: 'exit 2' },
      'microphone.error.not-recorded | parec: No such device; arecord: exit code 2 | microphone.advice.',
    ],
    [
      'whose program ends in the middle',
      { parec: 'printf ab; echo unplugged >&2; exit 0', arecord: 'printf cd; exec /bin/sleep 60' },
      'microphone.error.not-recorded | parec: unplugged | microphone.advice.',
    ],
    [
      'whose program hangs',
      { parec: 'exec /bin/sleep 60' },
      'microphone.error.not-recorded | parec: no sound | microphone.advice.',
    ],
  ])('says why a machine %s does not record', async (name, recorders, message) => {
    // A busy machine needs as long as that to start a program.
    const stallLimitMs = name === 'whose program hangs' ? 200 : 20_000
    const recorded = recordBytes(recorders, 1000, { stallLimitMs })
    await expect(recorded).rejects.toMatchObject({
      code: 'NO_MICROPHONE',
      message: expect.stringContaining(message),
    })
  })

  it('records nothing after an abort', async () => {
    const recorded = recordBytes({ parec: 'exec /bin/sleep 60' }, 1, {
      signal: AbortSignal.abort(),
    })
    expect(await recorded).toHaveLength(0)
  })
})

/** Repeats each sample as in a recording of a speaker, whose rate is three times as high. */
function tripled(pcm: Buffer) {
  const factor = recordingRateHertz / sampleRateHertz
  const samples = Buffer.alloc(pcm.length * factor)
  for (let index = 0; index < samples.length / 2; index++) {
    samples.writeInt16LE(pcm.readInt16LE(2 * Math.floor(index / factor)), 2 * index)
  }
  return createRecordedSound(samples, 0)
}
