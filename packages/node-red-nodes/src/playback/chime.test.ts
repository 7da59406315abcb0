import { spawnSync } from 'node:child_process'
import { createDurationMeter } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { createRecordedSound } from '@parlando/test-support/audio/recorded-sound'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { describe, expect, it } from 'vitest'
import { type SoundFormat, soundOf } from '../sounds/sound.ts'
import { chimeNames, chimeOf, silenceOf } from './chime.ts'
import { composeSound } from './compose-sound.ts'

const ffmpeg = findProgram('ffmpeg')

const sampleRateHertz = 44_100
const mp3: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz }

const pcmOutput = ['-f', 's16le', '-ar', '48000', '-ac', '1', 'pipe:1']

describe('the chime as MP3', () => {
  it('is encoded from the samples of each chime: vitest -u writes the file', async () => {
    const silence = await encodeMp3(Buffer.alloc(sampleRateHertz), { sampleRateHertz })
    // The first frame uses no bytes of an earlier one, so it can be repeated.
    const frame = silence.subarray(0, silence.indexOf(silence.subarray(0, 2), 2))
    const chimes = await Promise.all(
      [...chimeNames, 'listening' as const].map(async (name) => {
        const samples = Buffer.from(chimeOf({ audioEncoding: 'PCM', sampleRateHertz }, name)!)
        return [name, (await encodeMp3(samples, { sampleRateHertz })).toString('base64')] as const
      }),
    )
    const frames = { silence: frame.toString('base64'), ...Object.fromEntries(chimes) }
    const file = `${JSON.stringify(frames, null, 2)}\n`
    await expect(file).toMatchFileSnapshot('chime-mp3.json')
  })

  it.each([
    ['doorbell', [700, 500]],
    ['rising', [500, 700, 800]],
    ['gong', [300]],
  ] as const)('has the tones of the chime %s', needs('ffmpeg'), (name, tonesHertz) => {
    const input = chimeOf(mp3, name)!
    const options = ['-v', 'error', '-f', 'mp3', '-i', 'pipe:0', ...pcmOutput]
    const { stdout, stderr } = spawnSync(ffmpeg!, options, { input })
    expect(String(stderr)).toBe('')
    const heard = createRecordedSound(stdout, 0)
    expect(heard.tonesHertz).toEqual(tonesHertz)
    expect(heard.durationMs).toBeLessThan(1000)
  })

  it('joins to speech without a decoding error', needs('ffmpeg'), async () => {
    const pcm = tone({ seconds: 0.5, hertz: 1500, sampleRateHertz })
    const speech = soundOf(mp3, await encodeMp3(pcm, { sampleRateHertz }))
    const sound = composeSound(speech, { leadInMs: 500, chime: 'doorbell', leadOutMs: 300 })
    const chunks: Uint8Array[] = []
    for await (const chunk of sound.read()) chunks.push(chunk)

    const input = Buffer.concat(chunks)
    const options = ['-v', 'error', '-f', 'mp3', '-i', 'pipe:0', ...pcmOutput]
    const { stdout, stderr } = spawnSync(ffmpeg!, options, { input })
    expect(String(stderr)).toBe('')
    const heard = createRecordedSound(stdout, 0)
    expect(heard.tonesHertz).toEqual([700, 500, 1500])
    expect(heard.onsetAt).toBeGreaterThan(500)
    expect(stdout.length / 96 - heard.endAt).toBeGreaterThan(300)
    // The speech follows the chime at once; the encoder adds some milliseconds in front of each.
    expect(Math.max(...heard.gaps.map(({ ms }) => ms))).toBeLessThan(150)
    expect(sound.durationSeconds).toBeCloseTo(0.5 + 0.8 + 0.5 + 0.3, 0)
  })

  it('has silence of the wanted length', () => {
    const meter = createDurationMeter('MP3', sampleRateHertz)
    meter.push(silenceOf(mp3, 1000)!)
    expect(meter.seconds).toBeGreaterThanOrEqual(1)
    expect(meter.seconds).toBeLessThan(1.03)
    expect(silenceOf(mp3, 0)).toBeUndefined()
  })

  it('does not exist at another rate', () => {
    const other: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 24_000 }
    expect([chimeOf(other, 'doorbell'), silenceOf(other, 100)]).toEqual([undefined, undefined])
  })
})
