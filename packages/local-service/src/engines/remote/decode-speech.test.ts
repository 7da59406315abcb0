import { writeWavHeader } from '@parlando/core/audio'
import { toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { fromPcmBytes } from '../../audio/pcm.ts'
import { decodeSpeech } from './decode-speech.ts'

const subject = 'The server'
const { signal } = new AbortController()
const tone = toneOfText('Good morning', 24_000)

/** A response whose body arrives in pieces of 1001 bytes. */
function respond(bytes: Uint8Array, contentType = 'audio/pcm', end?: Error): Response {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1001) }, (_, index) =>
    bytes.slice(index * 1001, (index + 1) * 1001),
  )
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else if (end) controller.error(end)
      else controller.close()
    },
  })
  return new Response(body, { headers: contentType ? { 'content-type': contentType } : {} })
}

async function decode(response: Response) {
  const pieces: number[] = []
  let rate = 0
  const samples: number[] = []
  for await (const piece of decodeSpeech(response, { subject, pcmRateHertz: 24_000 }, signal)) {
    rate = piece.sampleRateHertz
    pieces.push(piece.samples.length)
    samples.push(...piece.samples)
  }
  return { rate, pieces, samples }
}

function wav(dataBytes: number, sampleRateHertz = 24_000): Buffer {
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes }), tone])
}

async function encode(audioEncoding: 'MP3' | 'OGG_OPUS' | 'FLAC'): Promise<Buffer> {
  const layout = { audioEncoding, sampleRateHertz: 24_000, bitRate: 64_000 }
  const encoder = await createEncoderPool().open(layout)
  const parts = [await encoder.push(fromPcmBytes(tone)), await encoder.end()]
  encoder.close()
  return Buffer.concat(parts)
}

describe('decodeSpeech', () => {
  it('decodes PCM while it arrives, in pieces that end within a sample', async () => {
    const { rate, pieces, samples } = await decode(respond(tone))
    expect(rate).toBe(24_000)
    expect(pieces.length).toBeGreaterThan(50)
    expect(samples).toEqual([...fromPcmBytes(tone)])
  })

  it.each([
    ['audio/L16; rate=16000; channels=1', 16_000],
    ['application/octet-stream', 24_000],
    ['', 24_000],
  ])('reads PCM with the type "%s" at %d Hz', async (type, rateHertz) => {
    expect((await decode(respond(tone, type))).rate).toBe(rateHertz)
  })

  it.each([
    ['of the right size', tone.length],
    ['0xFFFFFFFF', 0xffff_ffff - 36],
    ['0', 0],
    ['of a stream', 0x7fff_f000],
  ])('decodes WAV whose stated size is %s', async (_what, dataBytes) => {
    const header = wav(Math.min(dataBytes, 0xffff_ffff - 36), 22_050)
    if (dataBytes > 0xffff_0000) header.fill(0xff, 4, 8).fill(0xff, 40, 44)
    const { rate, samples } = await decode(respond(header, 'audio/wav'))
    expect(rate).toBe(22_050)
    expect(samples.length).toBe(tone.length / 2)
  })

  it('recognises WAV by its bytes if the type is wrong', async () => {
    const flask = await decode(respond(wav(tone.length), 'text/html; charset=utf-8'))
    expect(flask.samples.length).toBe(tone.length / 2)
    const requestedPcm = await decode(respond(wav(tone.length), 'audio/pcm'))
    expect(requestedPcm.samples.length).toBe(tone.length / 2)
  })

  it.each([
    ['MP3', 'audio/mpeg'],
    ['OGG_OPUS', 'audio/opus'],
    ['FLAC', 'audio/flac'],
  ] as const)('decodes %s', async (encoding, type) => {
    const { rate, samples } = await decode(respond(await encode(encoding), type))
    expect(samples.length / rate).toBeGreaterThan(1.45)
    expect(samples.length / rate).toBeLessThan(1.7)
  })

  it('does not take PCM for MP3', async () => {
    const pcm = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), tone])
    expect((await decode(respond(pcm))).samples.length).toBe(pcm.length / 2)
  })

  it.each([
    [
      Buffer.from('{"error":{"message":"CUDA out of memory"}}'),
      'application/json',
      'The server sent text instead of audio: CUDA out of memory',
    ],
    [
      Buffer.from('<html><body>Not here</body></html>'),
      'text/html',
      'The server sent text instead of audio: Not here',
    ],
    [
      Buffer.alloc(2000, 1),
      'audio/aac',
      'The server sent audio/aac; only PCM, WAV, MP3, Ogg Opus and FLAC can be decoded',
    ],
    [
      writeWavHeader({ sampleRateHertz: 24_000 }),
      'audio/wav',
      'The server sent audio that cannot be decoded: the WAV contains no audio',
    ],
    [
      Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(2000, 7)]),
      'audio/flac',
      'The server sent audio that cannot be decoded: the FLAC',
    ],
  ])('rejects a response without audio', async (bytes, type, message) => {
    await expect(decode(respond(bytes, type))).rejects.toMatchObject({
      code: 'INTERNAL',
      httpStatus: 502,
      message: expect.stringContaining(message),
    })
  })

  it('rejects a WAV file that states 60,000 channels', async () => {
    const file = wav(tone.length)
    file.writeUInt16LE(60_000, 22)
    await expect(decode(respond(file, 'audio/wav'))).rejects.toThrow('has 60000 channels')
  })

  it.each(['audio/pcm', 'audio/wav'])(
    'throws the error of a connection that breaks within %s',
    async (type) => {
      const broken = new Error('other side closed')
      const bytes = type === 'audio/wav' ? wav(tone.length) : tone
      await expect(decode(respond(bytes.subarray(0, 5000), type, broken))).rejects.toBe(broken)
    },
  )

  it('closes the connection when its reader stops', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(tone.subarray(0, 4000)),
      cancel() {
        isCancelled = true
      },
    })
    const rate = { subject, pcmRateHertz: 8000 }
    for await (const _piece of decodeSpeech(new Response(body), rate, signal)) {
      break
    }
    expect(isCancelled).toBe(true)
  })
})
