import { completeFile, encodings } from '@parlando/core/audio'
import { type AudioEncoding, audioEncodings } from '@parlando/core/wire'
import { clearOggSerials } from '@parlando/test-support/audio/encode'
import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import decode from 'audio-decode'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()

const text = 'The laundry is done, and there is more to say. Good night.'

async function whole(audioConfig: object): Promise<Buffer> {
  const response = await testApp.post('/tts/v1/voice', { ...speechRequest, text, audioConfig })
  expect(response.status).toBe(200)
  const { audioContent } = (await response.json()) as { audioContent: string }
  return Buffer.from(audioContent, 'base64')
}

async function streamed(audioConfig: object): Promise<Buffer[]> {
  const response = await testApp.post('/tts/v1/voice:stream', {
    ...speechRequest,
    text,
    audioConfig,
  })
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => Buffer.from(JSON.parse(line).result.audioContent, 'base64'))
}

async function samplesOf(audio: Uint8Array): Promise<{ samples: Float32Array; seconds: number }> {
  const { channelData, sampleRate } = await decode(audio)
  const samples = channelData[0]!
  return { samples, seconds: samples.length / sampleRate }
}

async function plainSeconds(): Promise<number> {
  const pcm = await whole({ audioEncoding: 'PCM', sampleRateHertz: 16000 })
  return pcm.length / 2 / 16000
}

function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

const withHeaders: readonly AudioEncoding[] = ['WAV', 'LINEAR16']
const raw = audioEncodings.filter((encoding) => !withHeaders.includes(encoding))

/** Each encoding at one of its rates, a different one for each. synthesize.test.ts has every encoding at every rate. */
const pairs = raw.map((audioEncoding, index) => {
  const rates = encodings[audioEncoding].sampleRatesHertz
  return [audioEncoding, rates[index % rates.length]!] as const
})

describe('speech as', () => {
  it.each(pairs)(
    '%s at %i Hz has the same bytes with and without streaming, also concurrently',
    async (audioEncoding, sampleRateHertz) => {
      const config = { audioEncoding, sampleRateHertz }
      const [first, again, chunks] = await Promise.all([
        whole(config),
        whole(config),
        streamed(config),
      ])
      const [expected, ...others] = [first, again, Buffer.concat(chunks)].map((file) =>
        clearOggSerials(completeFile(audioEncoding, file)),
      )
      expect(others.map((file) => file.equals(expected!))).toEqual([true, true])
      expect(chunks.length).toBeGreaterThan(5)
    },
  )

  it.each(withHeaders)(
    '%s has the same samples with and without streaming',
    async (audioEncoding) => {
      const config = { audioEncoding, sampleRateHertz: 24000 }
      const bodies = (await streamed(config)).map((chunk) =>
        chunk.toString('latin1', 0, 4) === 'RIFF' ? chunk.subarray(44) : chunk,
      )
      expect(Buffer.concat(bodies).equals((await whole(config)).subarray(44))).toBe(true)
    },
  )

  it.each([8000, 22050, 48000])(
    'FLAC at %i Hz decodes to exactly the samples of PCM',
    async (sampleRateHertz) => {
      const audioEncoding = 'FLAC'
      const { samples } = await samplesOf(await whole({ audioEncoding, sampleRateHertz }))
      const pcm = await whole({ audioEncoding: 'PCM', sampleRateHertz })
      expect(samples.length).toBe(pcm.length / 2)
      // The decoder divides by 32,767.
      const first = Array.from(samples.subarray(0, 20_000), (sample) => Math.round(sample * 32767))
      expect(first).toEqual(first.map((_, index) => pcm.readInt16LE(index * 2)))
    },
  )

  it.each([8000, 22050, 48000])(
    'OGG_OPUS at %i Hz decodes to the length and loudness of PCM',
    async (sampleRateHertz) => {
      const audioEncoding = 'OGG_OPUS'
      const opus = await samplesOf(await whole({ audioEncoding, sampleRateHertz }))
      const wav = await samplesOf(await whole({ audioEncoding: 'WAV', sampleRateHertz }))
      expect(Math.abs(opus.seconds - wav.seconds)).toBeLessThan(0.001)
      expect(loudness(opus.samples) / loudness(wav.samples)).toBeGreaterThan(0.9)
      expect(loudness(opus.samples) / loudness(wav.samples)).toBeLessThan(1.1)
    },
  )

  it('OGG_OPUS has a serial number of its own in every response', async () => {
    const serial = async () => (await whole({ audioEncoding: 'OGG_OPUS' })).readUInt32LE(14)
    expect(await serial()).not.toBe(await serial())
  })

  it('OGG_OPUS starts with its headers, which contain the requested rate', async () => {
    const audio = await whole({ audioEncoding: 'OGG_OPUS', sampleRateHertz: 22050 })
    const head = audio.indexOf('OpusHead')
    expect(head).toBe(28)
    expect(audio.readUInt32LE(head + 12)).toBe(22050)
    expect(audio.readUInt16LE(head + 10)).toBeGreaterThan(100)
    expect(audio.indexOf('OpusTags')).toBeGreaterThan(head)
    const last = audio.lastIndexOf('OggS')
    expect(audio.readUInt8(last + 5)).toBe(4)
    const positions = Number(audio.readBigUInt64LE(last + 6)) - audio.readUInt16LE(head + 10)
    expect(Math.abs(positions / 48000 - (await plainSeconds()))).toBeLessThan(0.001)
  })

  it.each(['MULAW', 'ALAW'])(
    '%s is one byte for each sample, at 8 kHz by default',
    async (audioEncoding) => {
      const audio = await whole({ audioEncoding })
      expect(Math.abs(audio.length / 8000 - (await plainSeconds()))).toBeLessThan(0.001)
    },
  )

  it.each([
    ['MP3', 24000],
    ['OGG_OPUS', 48000],
  ])('%s is smaller at a lower bit rate', async (audioEncoding, sampleRateHertz) => {
    const bytes = async (bitRate: number) =>
      (await whole({ audioEncoding, sampleRateHertz, bitRate })).length
    expect((await bytes(32_000)) * 2).toBeLessThan(await bytes(96_000))
  })

  it.each([
    [{ audioEncoding: 'MULAW', sampleRateHertz: 16000 }, /MULAW does not support 16000.*8000/],
    [
      { audioEncoding: 'PCM', bitRate: 64000 },
      /bitRate: only MP3 and OGG_OPUS have a bit rate, PCM does not/,
    ],
    [{ audioEncoding: 'OGG_OPUS', bitRate: 256_000 }, /256000.*OGG_OPUS.*192000/],
    [{ audioEncoding: 'MP3', sampleRateHertz: 24000, bitRate: 320_000 }, /MP3.*24000.*160000/],
  ])('%j is rejected with the supported values', async (audioConfig, message) => {
    const response = await testApp.post('/tts/v1/voice', { ...speechRequest, audioConfig })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(message) })
  })

  it('a single response that is too large is rejected with a hint to stream', async () => {
    const breaks = 'A <break time="10s"/> '.repeat(20)
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 48000 }
    const response = await testApp.post('/tts/v1/voice', {
      ...speechRequest,
      text: breaks,
      audioConfig,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/voice:stream/) })
  })
})
