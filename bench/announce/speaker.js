import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { firstAudibleSample } from '@parlando/test-support/audio/recorded-sound'
import { pcm } from './flow.js'

const { sampleRateHertz } = pcm
/** The sound device makes blocks of this length. A start at the same place in each would hide shorter times. */
const blockMs = 20
const beep = tone({ seconds: 0.2, hertz: 500, sampleRateHertz })
const toneArguments = ['--raw', '--format=s16le', '--channels=1', `--rate=${sampleRateHertz}`]

/** Measures the times to the first audible sample that a recording of the sound device contains. */
export function createSpeaker(pulse, announcements, connection) {
  const service = createClient(connection)

  const recordMs = async (play) => {
    const recording = await pulse.record()
    await setTimeout(blockMs * Math.random())
    const startedAt = performance.now()
    const played = play()
    await recording.heard
    const finish = await played
    const { onsetAt } = await recording.stop()
    await finish?.()
    return onsetAt - startedAt
  }

  /** Speech begins with some silence, which is not a delay. */
  const silenceMs = async (text) => {
    const { model, voice, encoding } = pcm
    const audioConfig = { audioEncoding: encoding, sampleRateHertz }
    const { audio } = await service.synthesize({
      text,
      modelId: model,
      voiceId: voice,
      audioConfig,
    })
    return (firstAudibleSample(Buffer.from(audio)) / sampleRateHertz) * 1000
  }

  return {
    /** What the player and the sound device take of the time. */
    toneMs: () =>
      recordMs(async () => {
        const player = spawn('pacat', [...toneArguments, '--latency-msec=200'])
        player.stdin.end(beep)
        await once(player, 'exit')
      }),
    /** From the start of a playback to the first sample. `play` resolves with what ends it. */
    recordMs,
    async announcementMs(text, speaker) {
      const silentMs = await silenceMs(text)
      const firstSampleMs = await recordMs(async () => {
        const ended = announcements.say(text, speaker)
        return async () => {
          await announcements.stop()
          await ended
        }
      })
      return firstSampleMs - silentMs
    },
  }
}
