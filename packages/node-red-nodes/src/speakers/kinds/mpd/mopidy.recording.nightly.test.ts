import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startMopidy } from '@parlando/test-support/players/programs/mopidy'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createMpdDriver } from './mpd.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const

describe('Mopidy', needs(...pulsePrograms, 'mopidy', 'mpc'), () => {
  it('plays sounds at their volume, and then its music as before', async () => {
    const pulse = await startPulse()
    const { sounds, ...server } = await serveSounds()
    const mopidy = await startMopidy(pulse.environment)
    const config = { mpd: mopidy.address }
    const driver = createMpdDriver({ RED: speakerTexts.en, sounds, config })
    const soundAt = async (hertz: number) =>
      soundOf(format, await encodeMp3(tone({ hertz, seconds: 1, ...format }), format))
    const signal = AbortSignal.timeout(60_000)
    const starts: number[] = []
    const onFirstSound = () => void starts.push(performance.now())
    await mopidy.playMusic(300)
    await mopidy.mpc('repeat', 'on')
    const recording = await pulse.record()
    await delay(1000)
    const before = await mopidy.mpc('status', '%state% %volume% %repeat%%random%%single%%consume%')
    for (const [hertz, volume] of [
      [700, 100],
      [900, 50],
    ] as const) {
      await driver.play(await soundAt(hertz), { signal, volume, onFirstSound, handOut() {} })
      await delay(1000)
    }
    expect(await mopidy.mpc('status', '%state% %volume% %repeat%%random%%single%%consume%')).toBe(
      before,
    )
    expect(await mopidy.mpc('playlist')).not.toContain('parlando')
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([300, 700, 300, 900, 300])
    const [full, half] = starts.map((at) => heard.loudnessBetween(at + 300, at + 700))
    expect(Math.abs(full! - half! - 6)).toBeLessThan(2)
    await driver.close()
    await mopidy.close()
    await server.close()
    await pulse.stop()
  })
})
