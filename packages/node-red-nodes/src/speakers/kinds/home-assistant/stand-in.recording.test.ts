import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { startStandIn } from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant'
import {
  recordedFrames,
  recordFrames,
  shapesOf,
} from '@parlando/test-support/players/stand-ins/home-assistant/record-frames'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'

it(
  'the stand-in sends what a real Home Assistant has sent',
  needs(...pulsePrograms, 'mpg123'),
  async () => {
    const pulse = await startPulse()
    const server = await serveSounds()
    const player = 'media_player.kitchen'
    const satellite = 'assist_satellite.hall'
    const homeAssistant = await startStandIn(
      { [player]: 'plays', [satellite]: 'satellite' },
      pulse.environment,
    )
    const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
    const pcm = tone({ hertz: 500, seconds: 1, ...format })
    const { url: sound } = server.sounds.publish(soundOf(format, await encodeMp3(pcm, format)))
    const { address, token } = homeAssistant
    const sent = await recordFrames({ address, token, player, satellite, sound })
    await homeAssistant.close()
    await server.close()
    await pulse.stop()
    expect(shapesOf(sent)).toEqual(shapesOf(recordedFrames))
  },
)
