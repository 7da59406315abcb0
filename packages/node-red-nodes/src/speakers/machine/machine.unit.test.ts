import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { tone } from '@parlando/test-support/audio/tone'
import { findProgram } from '@parlando/test-support/find-program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { soundOf } from '../../sounds/sound.ts'
import { createMachineDriver } from './machine.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const

let pulse: Pulse
let folder: string
beforeAll(async () => {
  pulse = await startPulse()
  folder = await mkdtemp(join(tmpdir(), 'players-'))
})
afterAll(async () => {
  await pulse.stop()
  await rm(folder, { recursive: true, force: true })
})

async function onlyWith(...programs: string[]): Promise<NodeJS.ProcessEnv> {
  const path = await mkdtemp(join(folder, 'path-'))
  for (const program of programs) {
    await symlink(findProgram(program, 'it is not tested')!, join(path, program))
  }
  return { ...pulse.environment, PATH: path }
}

describe.each(['pacat', 'aplay', 'mpv', 'ffplay'])('this machine with %s', (program) => {
  it('plays a sound at the volume that was asked for', async () => {
    const driver = createMachineDriver({ environment: await onlyWith(program) })
    const recording = await pulse.record()
    await driver.play(
      soundOf(format, tone({ seconds: 1, hertz: 440, sampleRateHertz: format.sampleRateHertz })),
      {
        signal: AbortSignal.timeout(20_000),
        volume: 50,
        onFirstSound() {},
        handOut() {},
      },
    )
    const endedAt = performance.now()
    const heard = await recording.stop()
    await driver.close()
    expect(heard.durationMs).toBeGreaterThan(990)
    expect(Math.abs(endedAt - heard.endAt)).toBeLessThan(300)
    expect(heard.loudnessDb).toBeCloseTo(-19, 0)
  })
})
