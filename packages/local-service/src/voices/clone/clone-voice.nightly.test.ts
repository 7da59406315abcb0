import { writeWavHeader } from '@parlando/core/audio'
import { browserRecording } from '@parlando/test-support/audio/browser-recording'
import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeAll, describe, expect, it } from 'vitest'
import { baseVoices, findBaseVoice } from '../base-voices.ts'
import { envelopeDistance } from '../imprint/measure-voice.ts'
import { cloneVoice } from './clone-voice.ts'
import { nearestVoice } from './nearest-voice.ts'

const testApp = useTestApp()
const bases = baseVoices.filter(({ engine }) => engine === 'flite')

const sentence =
  'The washing machine has finished, and somebody is waiting at the garden gate for you. '

async function record(audioConfig: object, times = 1, voiceId = 'Ralph'): Promise<Buffer> {
  const text = sentence.repeat(times)
  const response = await testApp.post('/tts/v1/voice', {
    ...speechRequest,
    voiceId,
    text,
    audioConfig,
  })
  return Buffer.from(((await response.json()) as { audioContent: string }).audioContent, 'base64')
}

const clone = (samples: Uint8Array[], removeBackgroundNoise = false) =>
  cloneVoice({ samples, removeBackgroundNoise, bases, signal: new AbortController().signal })

function toWav(samples: Float32Array, sampleRateHertz = 16_000): Buffer {
  const dataBytes = samples.length * 2
  const body = Buffer.alloc(dataBytes)
  for (const [index, sample] of samples.entries()) {
    body.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * 2)
  }
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes }), body])
}

const wav16 = { audioEncoding: 'WAV', sampleRateHertz: 16_000 }
const silence = new Float32Array(16_000 * 6)
let wav: Buffer
beforeAll(async () => {
  wav = await record(wav16, 2)
})

/** The recording with steady noise. */
function noisy(level: number): Buffer {
  let seed = 1
  const samples = Float32Array.from({ length: (wav.length - 44) / 2 }, (_, index) => {
    seed = (seed * 16_807) % 2_147_483_647
    return wav.readInt16LE(44 + index * 2) / 32_768 + level * (seed / 1_073_741_824 - 1)
  })
  return toWav(new Float32Array([...samples.subarray(0, 60_000), ...silenceLike(samples, level)]))
}

function silenceLike(samples: Float32Array, level: number): Float32Array {
  return samples.subarray(0, 32_000).map((_, index) => level * Math.sin(index * index))
}

describe('a clone', () => {
  it.each([
    wav16,
    { audioEncoding: 'WAV', sampleRateHertz: 48_000 },
    { audioEncoding: 'MP3', sampleRateHertz: 24_000 },
  ])(
    'of $audioEncoding at $sampleRateHertz Hz has the profile of the recorded voice',
    async (config) => {
      const result = await clone([await record(config, 2)])
      const { profile } = findBaseVoice('flite', 'rms')!
      expect(result).toMatchObject({ engine: 'flite', engineVoice: 'rms' })
      expect(result.samples).toMatchObject([{ warnings: [], errors: [] }])
      expect(Math.abs(result.profile.pitch.medianHertz - profile.pitch.medianHertz)).toBeLessThan(5)
      expect(envelopeDistance(result.profile, profile)).toBeLessThan(2.5)
      expect(JSON.stringify(result.profile).length).toBeLessThan(4096)
    },
  )

  it('of what a browser has recorded has the pitch of the recorded voice', async () => {
    const { profile, samples } = await clone([browserRecording])
    const { pitch } = findBaseVoice('flite', 'slt')!.profile
    expect(Math.abs(profile.pitch.medianHertz - pitch.medianHertz)).toBeLessThan(10)
    expect(samples).toMatchObject([{ warnings: [], errors: [] }])
  })

  it('uses all usable samples and reports what is wrong with the others', async () => {
    const garbage = Buffer.concat([wav.subarray(0, 44), Buffer.alloc(0)])
    const short = wav.subarray(0, 44 + 2 * 16_000 * 4)
    const samples = [short, toWav(silence), wav, garbage]
    const result = await clone(samples)
    expect(result.samples.map(({ errors }) => errors.length)).toEqual([0, 1, 0, 1])
    expect(result.samples[1]!.errors).toEqual(['contains no speech'])
    expect(result.samples[0]!.warnings).toEqual([
      { code: 'too-short', text: 'The sample is 4 s long; 5 to 15 s make a better voice' },
    ])
    // 2.5 s each: one is too little, two are enough.
    const [head, bytes] = [wav.subarray(0, 44), 80_000]
    const [one, other] = [44, 44 + bytes].map((start) => {
      return Buffer.concat([head, wav.subarray(start, start + bytes)])
    }) as [Buffer, Buffer]
    await expect(clone([one])).rejects.toThrow('3 s are needed')
    expect((await clone([one, other])).samples).toHaveLength(2)
  })

  it('uses the first 15 s of a longer sample', async () => {
    const { samples } = await clone([await record({ audioEncoding: 'MP3' }, 4)])
    expect(samples[0]!.seconds).toBeCloseTo(15, 1)
    expect(samples[0]!.warnings).toEqual([
      { code: 'too-long', text: 'The sample is longer than 15 s; the service uses only 15 s' },
    ])
  })

  it('warns that a sample is clipped, or noisy unless the noise is removed', async () => {
    const loud = Float32Array.from({ length: (wav.length - 44) / 2 }, (_, index) => {
      return wav.readInt16LE(44 + index * 2) / 3000
    })
    const clipped = await clone([toWav(loud)])
    expect(clipped.samples[0]!.warnings).toEqual([
      { code: 'clipped', text: expect.stringMatching(/^The sample is clipped: \d/) },
    ])
    const hiss = noisy(0.04)
    expect((await clone([hiss])).samples[0]!.warnings).toEqual([
      { code: 'noisy', text: expect.stringMatching(/noisy/) },
    ])
    expect((await clone([hiss], true)).samples[0]!.warnings).toEqual([])
  })
})

describe('cloneVoice rejects', () => {
  const errorOf = (samples: Uint8Array[]) => clone(samples).catch((error: Error) => error)

  it('too little speech, silence and files without audio', async () => {
    const short = wav.subarray(0, 44 + 2 * 16_000 * 2)
    expect(await errorOf([short])).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/only [12]\.\d s of speech.*3 s are needed/),
    })
    const noFrames = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(5000, 7)])
    const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(3000, 9)])
    const message = ((await errorOf([toWav(silence), noFrames, webm])) as Error).message
    expect(message).toMatch(/sample 1 of 3 contains no speech/)
    expect(message).toMatch(/sample 2 of 3 (is not a|cannot be decoded|contains no)/)
    expect(message).toMatch(/sample 3 of 3 (is not a|cannot be decoded)/)
  })

  it('random bytes after any file header', async () => {
    const noise = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 7919) % 251))
    for (const start of [
      [0xff, 0xfb, 0x90, 0x64],
      [0x1a, 0x45, 0xdf, 0xa3],
      [...wav.subarray(0, 12)],
    ]) {
      const file = Buffer.concat([Buffer.from(start), noise])
      expect(await errorOf([file])).toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
  })

  it('a request whose caller disconnects', async () => {
    const disconnect = new AbortController()
    const result = cloneVoice({
      bases,
      samples: [wav],
      removeBackgroundNoise: true,
      signal: disconnect.signal,
    })
    setTimeout(() => disconnect.abort(new Error('gone')), 5)
    await expect(result).rejects.toThrow('gone')
  })
})

describe('the nearest voice', () => {
  it('to each statistical voice is that voice', () => {
    for (const base of bases.filter(({ isPliable }) => isPliable)) {
      expect(nearestVoice(base.profile, bases)).toBe(base)
    }
  })

  it('is a statistical voice if much has to change', () => {
    const { profile } = findBaseVoice('flite', 'kal16')!
    const pitch = { ...profile.pitch, medianHertz: 190 }
    expect(nearestVoice({ ...profile, pitch }, bases).isPliable).toBe(true)
  })

  it('is the natural voice, where there is one', () => {
    for (const { profile } of bases) {
      expect(nearestVoice(profile, baseVoices)).toMatchObject({ engineVoice: 'heart' })
    }
  })
})
